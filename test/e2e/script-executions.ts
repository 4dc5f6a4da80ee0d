// Detects scripts of attackers that run in a page. It counts calls of `xss()` in any frame, dialogs of the browser such as `alert`, and
// violations of the content security policy.
import { expect, type Frame, type Page } from '@playwright/test';
import { PAYLOADS } from './hostile-data.ts';

export interface Counts {
  readonly run: number;
  readonly asked: number;
  readonly reported: number;
}
export const NONE: Counts = { run: 0, asked: 0, reported: 0 };

/** Sends one more request and waits for its response and for two rendered frames, so that the effects of earlier actions have happened. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    if (location.protocol.startsWith('http')) await fetch('/api/health');
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))));
  });
}

export interface Watch {
  /** Returns the numbers of calls of `xss()`, of dialogs and of policy violations in this page so far. */
  readonly counts: () => Promise<Counts>;
  /** The number of calls of `xss()` in each frame, by the frame's name. */
  readonly ran: Map<string, number>;
}

export async function watch(page: Page): Promise<Watch> {
  const counts = { run: 0, asked: 0, reported: 0 };
  const ran = new Map<string, number>();
  page.on('dialog', (shown) => {
    counts.asked += 1;
    void shown.dismiss();
  });
  await page.exposeFunction('countRun', (frame: string) => ((counts.run += 1), void ran.set(frame, (ran.get(frame) ?? 0) + 1)));
  await page.exposeFunction('countReport', () => void (counts.reported += 1));
  await page.addInitScript(() => {
    const outside = globalThis as unknown as { xss: () => void; countRun: (frame: string) => void; countReport: () => void };
    outside.xss = () => outside.countRun(window.name);
    addEventListener('securitypolicyviolation', () => outside.countReport());
    globalThis.print = () => undefined;
  });
  return {
    ran,
    counts: async () => {
      await settle(page);
      return { ...counts };
    },
  };
}

/**
 * Returns the number of different payloads that the document shows as text or field values. The function scrolls through the whole
 * document, because long lists render only visible rows.
 */
export async function payloadsIn(frame: Page | Frame): Promise<number> {
  return await frame.evaluate(async (payloads) => {
    const seen = new Set<string>();
    const look = (): void => {
      const fields = [...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')].map(({ value }) => value);
      const text = [document.body.textContent, document.title, ...fields].join('\n').toLowerCase();
      for (const payload of payloads) if (text.includes(payload.toLowerCase())) seen.add(payload);
    };
    look();
    const scrolling = [...document.querySelectorAll('*')].filter(
      (one) => one.scrollHeight > one.clientHeight + 50 && one.clientHeight > 50,
    );
    for (const one of scrolling) {
      for (let top = 0; top < one.scrollHeight && seen.size < payloads.length; top += one.clientHeight * 0.8) {
        one.scrollTop = top;
        await new Promise((resolve) => requestAnimationFrame(resolve));
        look();
      }
    }
    return seen.size;
  }, PAYLOADS);
}

const HARNESS = 'http://mailbox.test/';
const CONTROL = `<img src=x onerror="window.xss()"><a href="javascript:window.xss()">x</a>`;

/**
 * Opens each HTML document in a frame without a content security policy, like an unprotected mail program. The function hovers over,
 * focuses and clicks every element. Returns the number of documents in which an attack has succeeded.
 */
export async function openAll(page: Page, { ran }: Watch, documents: readonly string[]): Promise<number> {
  await page.route(`${HARNESS}**`, (route) =>
    route.fulfill({ contentType: 'text/html', body: route.request().url() === HARNESS ? '<!doctype html><title>Mailbox</title>' : '' }),
  );
  ran.clear();
  await page.goto(HARNESS);
  const named = [...documents.entries(), ['control', CONTROL] as const].map(([name, html]) => ({ name: String(name), html }));
  await page.evaluate(async (all) => {
    const frames = all.map(({ name, html }) => Object.assign(document.createElement('iframe'), { name, srcdoc: html }));
    const loaded = frames.map((frame) => new Promise((resolve) => frame.addEventListener('load', resolve, { once: true })));
    document.body.append(...frames);
    await Promise.all(loaded);
    for (const frame of frames) {
      for (const one of frame.contentDocument?.querySelectorAll<HTMLElement>('body, body *') ?? []) {
        for (const type of ['pointerover', 'mouseover', 'mouseenter']) one.dispatchEvent(new MouseEvent(type, { bubbles: true }));
        one.focus?.();
        // Links with these protocols are not clicked, because they would leave the frame. All other links and elements are clicked. The
        // sanitizer's tests cover the links that are left out.
        if (!/^(https?|mailto|tel):/.test(one.getAttribute('href') ?? '')) one.click?.();
      }
    }
  }, named);
  // The last frame is for comparison. Both of its attacks always succeed: one after a failed image request and one after a click. When both
  // have run, the attacks in the other frames have had enough time to run.
  await expect.poll(() => ran.get('control')).toBe(2);
  return [...ran.keys()].filter((name) => name !== 'control').length;
}

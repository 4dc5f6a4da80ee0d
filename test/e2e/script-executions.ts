// Sees what runs that must not: calls of `xss()` in any document, questions that pop up, and reports of the page's policy.
import { expect, type Frame, type Page } from '@playwright/test';
import { PAYLOADS } from './hostile-world.ts';

export interface Counts {
  readonly run: number;
  readonly asked: number;
  readonly reported: number;
}
export const NONE: Counts = { run: 0, asked: 0, reported: 0 };

/** Everything drawn, and every request that this made answered: one that was made later is. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    if (location.protocol.startsWith('http')) await fetch('/api/health');
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))));
  });
}

export interface Watch {
  /** What happened so far in this page, whatever it showed. */
  readonly counts: () => Promise<Counts>;
  /** How often something ran in which frame. */
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

/** Which of the payloads stand in the document as text, or in a field. Scrolls through everything that scrolls, for rows that are drawn in sight only. */
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
 * Opens each document in a frame of its own without any policy, as the most careless mail program would, and points at, focuses and
 * presses everything in it. Says in how many of them something ran.
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
        // Other addresses would lead out of the frame; they are looked at where the HTML is cleaned.
        if (!/^(https?|mailto|tel):/.test(one.getAttribute('href') ?? '')) one.click?.();
      }
    }
  }, named);
  // The last frame runs by an event of the network and by a click: what comes before it has had its time.
  await expect.poll(() => ran.get('control')).toBe(2);
  return [...ran.keys()].filter((name) => name !== 'control').length;
}

// Detects code that must not run: calls of `xss()` in any document, browser dialogs, and policy violations.
import { expect, type Frame, type Page } from '@playwright/test';
import { PAYLOADS } from './hostile-world.ts';

export interface Counts {
  readonly run: number;
  readonly asked: number;
  readonly reported: number;
}
export const NONE: Counts = { run: 0, asked: 0, reported: 0 };

/** Waits until everything is rendered and every request of the page has a response. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    if (location.protocol.startsWith('http')) await fetch('/api/health');
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))));
  });
}

export interface Watch {
  /** The executions in this page so far. */
  readonly counts: () => Promise<Counts>;
  /** The number of executions by frame. */
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
 * The number of payloads in the document as text or field values. Scrolls through everything, because long lists render visible rows only.
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
 * Opens each document in a frame without a policy, like a mail program without protection, and hovers, focuses and clicks everything in it.
 * Returns the number of documents in which something ran.
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
        // Other URLs would leave the frame; the sanitizer's tests cover them.
        if (!/^(https?|mailto|tel):/.test(one.getAttribute('href') ?? '')) one.click?.();
      }
    }
  }, named);
  // The last frame runs its code on a network event and a click, so all frames before it have had time to run theirs.
  await expect.poll(() => ran.get('control')).toBe(2);
  return [...ran.keys()].filter((name) => name !== 'control').length;
}

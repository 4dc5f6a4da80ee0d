// Simulates a scale that is connected over Web Serial. Chromium offers no port as long as no device is connected.
import type { Page } from '@playwright/test';

export interface SimulatedScale {
  /** Puts goods on the scale and takes them away again. */
  readonly place: (weight: string) => Promise<void>;
  /** Sends lines as the scale would send them, without changing them. */
  readonly send: (...lines: string[]) => Promise<void>;
}

export async function simulatedScale(page: Page): Promise<SimulatedScale> {
  await page.addInitScript(() => {
    let controller: ReadableStreamDefaultController<Uint8Array> | null = null;
    const write = (lines: readonly string[]): void => lines.forEach((line) => controller?.enqueue(new TextEncoder().encode(`${line}\r\n`)));
    const port = {
      readable: null as ReadableStream<Uint8Array> | null,
      open: async () => {
        port.readable = new ReadableStream<Uint8Array>({ start: (opened) => void (controller = opened) });
      },
      close: async () => undefined,
    };
    Object.defineProperty(navigator, 'serial', { value: { requestPort: async () => port } });
    addEventListener('scale', (event) => write((event as CustomEvent<readonly string[]>).detail));
  });
  const send = (...lines: string[]): Promise<void> =>
    page.evaluate((detail) => void dispatchEvent(new CustomEvent('scale', { detail })), lines);
  return { send, place: (weight) => send(`ST,+${weight} lb`, 'ST,+0000.00 lb') };
}

// Makes a test fail if it causes a call of console.error or console.warn. A test that expects such a call replaces the function while it
// runs.
import { format } from 'node:util';
import { afterAll, afterEach, vi } from 'vitest';
import { emptyPage, withInlineStyles, withOneClock, withoutLayout } from './jsdom-page.ts';

const complaints: string[] = [];
for (const level of ['error', 'warn'] as const) {
  console[level] = (...parts: unknown[]) => {
    complaints.push(`console.${level}: ${format(...parts)}`);
  };
}

function failOnComplaints(): void {
  const heard = complaints.splice(0);
  if (heard.length > 0) throw new Error(heard.join('\n'));
}
afterAll(failOnComplaints);
afterEach(failOnComplaints);

// The next test file in this worker process must start without fake timers and stubs.
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

if ('document' in globalThis) {
  const { cleanup, configure, prettyDOM } = await import('@testing-library/react');
  /**
   * Describes the page when the message is read. The library describes it each time a query does not find its element, also while it is only
   * waiting for the element, which takes an eighth of the CPU time of these tests.
   */
  const getElementError = (text: string | null, container: Parameters<typeof prettyDOM>[0]): Error => {
    const message = (): string => [text, prettyDOM(container)].filter(Boolean).join('\n\n');
    return Object.defineProperty(new Error(), 'message', { get: message, configurable: true });
  };
  // On a busy machine, the real application may need more time than the library's default of one second.
  configure({ asyncUtilTimeout: 60_000, getElementError });
  withoutLayout();
  withInlineStyles();
  withOneClock();
  afterEach(cleanup);
  afterAll(emptyPage);
}

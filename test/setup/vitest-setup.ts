// A complaint on the console fails the test that caused it. A test that expects one puts its own function in
// place of console.error for that long.
import { format } from 'node:util';
import { afterAll, afterEach, vi } from 'vitest';
import { emptyPage, withoutLayout } from './jsdom-page.ts';

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

// The next file of the worker starts with a clean process and page.
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

if ('document' in globalThis) {
  const { cleanup, configure } = await import('@testing-library/react');
  // The application answers for real, and on a busy machine not within the library's second.
  configure({ asyncUtilTimeout: 15_000 });
  withoutLayout();
  afterEach(cleanup);
  afterAll(emptyPage);
}

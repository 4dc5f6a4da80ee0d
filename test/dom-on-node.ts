// A page for screens that the real application answers. To be imported first, in the environment "node": in the environment
// "jsdom" the modules of the server, which find their files by import.meta.url, do not load.
import { afterAll, afterEach } from 'vitest';
import { builtinEnvironments } from 'vitest/runtime';
import { withoutLayout } from './without-layout.ts';

// The server answers in bytes of its own kind.
const bytes = { ArrayBuffer, Uint8Array };
const { teardown } = await builtinEnvironments.jsdom.setup(globalThis, {});
Object.assign(globalThis, bytes);
withoutLayout();
const { cleanup, configure } = await import('@testing-library/react');
// The application answers for real, and on a busy machine not within the library's second.
configure({ asyncUtilTimeout: 15_000 });
afterEach(cleanup);
afterAll(() => teardown(globalThis));

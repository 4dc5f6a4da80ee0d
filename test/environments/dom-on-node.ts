// The environment of screens that the real application answers: the page of "jsdom", the modules of "node". In the environment "jsdom"
// the modules of the server, which find their files by import.meta.url, do not load.
import { builtinEnvironments, type Environment } from 'vitest/runtime';

const environment: Environment = {
  name: 'dom-on-node',
  viteEnvironment: 'ssr',
  async setup(global, options) {
    const { ArrayBuffer, Uint8Array } = globalThis;
    const page = await builtinEnvironments.jsdom.setup(global, options);
    // Node's own modules return bytes of Node's classes.
    Object.assign(global, { ArrayBuffer, Uint8Array });
    return page;
  },
};

export default environment;

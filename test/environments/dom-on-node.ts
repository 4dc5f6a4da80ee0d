// The test environment of screens that call the real application: the DOM of "jsdom" with Node's modules. In the environment "jsdom" the
// server's modules, which use import.meta.url, do not load.
import { builtinEnvironments, type Environment } from 'vitest/runtime';

const environment: Environment = {
  name: 'dom-on-node',
  viteEnvironment: 'ssr',
  async setup(global, options) {
    const { ArrayBuffer, Uint8Array } = globalThis;
    const page = await builtinEnvironments.jsdom.setup(global, options);
    // Modules of Node return instances of Node's own classes.
    Object.assign(global, { ArrayBuffer, Uint8Array });
    return page;
  },
};

export default environment;

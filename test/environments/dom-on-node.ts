// In this test environment, screens call the real application. It has the DOM of "jsdom" and the modules of Node. In the environment
// "jsdom" itself, the server's modules do not load, because they use import.meta.url.
import { builtinEnvironments, type Environment } from 'vitest/runtime';

const environment: Environment = {
  name: 'dom-on-node',
  viteEnvironment: 'ssr',
  async setup(global, options) {
    const { ArrayBuffer, Uint8Array } = globalThis;
    const page = await builtinEnvironments.jsdom.setup(global, options);
    // Modules of Node return instances of Node's own classes, so the environment uses these classes too.
    Object.assign(global, { ArrayBuffer, Uint8Array });
    return page;
  },
};

export default environment;

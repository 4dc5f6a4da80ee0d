// In this test environment, a test can render screens that call the real application. The environment has the DOM of jsdom and the modules
// of Node. The server's modules do not load in vitest's own environment "jsdom", because they use import.meta.url.
import { builtinEnvironments, type Environment } from 'vitest/runtime';

const environment: Environment = {
  name: 'dom-on-node',
  viteEnvironment: 'ssr',
  async setup(global, options) {
    const { ArrayBuffer, Uint8Array } = globalThis;
    const page = await builtinEnvironments.jsdom.setup(global, options);
    // Node's modules return instances of Node's own ArrayBuffer and Uint8Array, so this environment must use the same classes.
    Object.assign(global, { ArrayBuffer, Uint8Array });
    return page;
  },
};

export default environment;

// npm start: the product on its own data.
import { keepCompiledCode } from './server/operations/compile-cache.ts';

keepCompiledCode();
const { runUntilStopped } = await import('./start-process.ts');
await runUntilStopped(process.env, (env, url) => console.log(`Feastday listens on ${url} and is reached at ${env.publicUrl}`));

// The script of `npm start`. It starts the application with the data of this installation.
import { startCompileCache } from './server/operations/compile-cache.ts';

startCompileCache();
const { runUntilStopped } = await import('./start-process.ts');
await runUntilStopped(process.env, (env, url) => console.log(`Feastday listens on ${url} and is reached at ${env.publicUrl}`));

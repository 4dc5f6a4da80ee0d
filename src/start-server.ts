// Runs `npm start`, which starts the application on its own data.
import { startCompileCache } from './server/operations/compile-cache.ts';

startCompileCache();
const { runUntilStopped } = await import('./start-process.ts');
await runUntilStopped(process.env, (env, url) => console.log(`Feastday listens on ${url} and is reached at ${env.publicUrl}`));

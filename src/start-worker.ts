// npm run worker: sends the mails, beside servers that do so as well.
import { startCompileCache } from './server/operations/compile-cache.ts';

startCompileCache();
const { sendUntilStopped } = await import('./start-process.ts');
await sendUntilStopped(process.env, () => console.log('Feastday sends the mails that are due.'));

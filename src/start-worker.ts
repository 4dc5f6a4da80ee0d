// npm run worker: sends mails, in addition to servers that do so too.
import { startCompileCache } from './server/operations/compile-cache.ts';

startCompileCache();
const { sendUntilStopped } = await import('./start-process.ts');
await sendUntilStopped(process.env, () => console.log('Feastday sends the mails that are due.'));

// The script of `npm run worker`. It sends mails. Servers that also send mails may run at the same time.
import { startCompileCache } from './server/operations/compile-cache.ts';

startCompileCache();
const { sendUntilStopped } = await import('./start-process.ts');
await sendUntilStopped(process.env, () => console.log('Feastday sends the mails that are due.'));

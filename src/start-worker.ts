// npm run worker: sends the mails, beside servers that do so as well.
import { sendUntilStopped } from './start-process.ts';

await sendUntilStopped(process.env, () => console.log('Feastday sends the mails that are due.'));

// npm start: the product on its own data.
import { runUntilStopped } from './start-process.ts';

await runUntilStopped(process.env, (env, url) => console.log(`Feastday listens on ${url} and is reached at ${env.publicUrl}`));

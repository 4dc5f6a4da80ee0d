// The script of `npm run demo`. It starts the application with sample data, and loads the data at the first start.
import { DEMO_PASSWORD, DEMO_SIGN_INS, loadDemo } from '../db/demo/load.ts';
import { runUntilStopped } from './start-process.ts';

await runUntilStopped(
  // The demo ignores DATABASE_URL, so that users with public passwords never get into a real database.
  { LOG_LEVEL: 'warn', DATA_DIR: 'data/demo', BACKUP_HOURS: '0', ...process.env, DATABASE_URL: '' },
  (env) => {
    console.log(`\nFeastday is ready: ${env.publicUrl}\n\nSign in with the password ${DEMO_PASSWORD} as`);
    for (const [role, email] of Object.entries(DEMO_SIGN_INS)) console.log(`  ${role.padEnd(12)} ${email}`);
    console.log(
      `\nMails are written to ${env.smtpUrl === null ? `${env.dataDir}/mail` : 'the SMTP server'}. Ctrl-C stops it; the data stays in place.`,
    );
  },
  loadDemo,
);

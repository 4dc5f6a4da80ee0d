// `npm run dev`: starts the server, and Vite's development server in front of it. When a source changes, the server restarts or Vite
// updates the page.
import { spawn } from 'node:child_process';

const PAGE = 'http://127.0.0.1:5173';

const children = [
  spawn('node', ['--watch', 'src/start-server.ts'], { stdio: 'inherit', env: { PUBLIC_URL: PAGE, ...process.env } }),
  spawn('vite', ['--host', '127.0.0.1', '--port', '5173', '--strictPort'], { stdio: 'inherit' }),
];
const stop = () => {
  for (const child of children) child.kill('SIGTERM');
};
for (const child of children) child.once('exit', stop);
process.once('SIGINT', stop);
process.once('SIGTERM', stop);

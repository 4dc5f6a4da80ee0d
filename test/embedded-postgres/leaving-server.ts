// Simulates a PostgreSQL server that shuts down at the moment when a process connects to it. Usage: `leaving-server.ts FOLDER`
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

const [folder = ''] = process.argv.slice(2);
const socketDir = `${folder}-socket`;
const pidFile = join(folder, 'postmaster.pid');

const message = (type: string, body: Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
};
const SIGNED_IN = message('R', Buffer.alloc(4));
const ASK = message('Z', Buffer.from('I'));
const ENDED = message('E', Buffer.from('SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0'));

process.chdir(folder);
mkdirSync(socketDir, { mode: 0o700 });
const server = createServer((socket) => {
  socket.once('data', () => {
    socket.end(Buffer.concat([SIGNED_IN, ASK, ENDED]), () => {
      rmSync(pidFile);
      rmSync(socketDir, { recursive: true });
      process.exit(0);
    });
  });
});
server.listen(join(socketDir, '.s.PGSQL.5432'), () => {
  writeFileSync(pidFile, [process.pid, folder, 0, 5432, socketDir, '', '', 'ready'].join('\n'));
  process.stdout.write('listening\n');
});

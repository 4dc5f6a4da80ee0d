// This script floods the application until its process is killed. It simulates several clients at the same time. Each client sends a
// request, reads the response and sends the next request.
import { Agent, request } from 'node:http';
import { setPriority } from 'node:os';
import type { FloodOrder, FloodReport, FloodRequest } from './flood.ts';

/** The process runs at a lower priority, so that the flood slows the application only through its requests. */
setPriority(10);
const agent = new Agent({ keepAlive: true, maxSockets: Infinity });
const statuses: Record<string, number> = {};
let sent = 0;

/** Replaces `{n}` by a number that no other request contains. */
const numbered = (text: string): string => text.replaceAll('{n}', String(sent));

function send(port: number, { method, path, headers = {}, body, stalls }: FloodRequest): Promise<void> {
  sent++;
  const text = body === undefined ? '' : numbered(body);
  const ownHeaders = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, numbered(value)]));
  const bodyHeaders = body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
  return new Promise((resolve) => {
    const count = (status: string): void => {
      statuses[status] = (statuses[status] ?? 0) + 1;
      resolve();
    };
    const asked = request(
      { host: '127.0.0.1', port, method, path: numbered(path), headers: { ...ownHeaders, ...bodyHeaders }, agent },
      (response) => {
        response.on('error', () => count('broken'));
        if (stalls === 'reply') return void response.pause();
        response.on('end', () => count(String(response.statusCode))).resume();
      },
    );
    asked.on('error', () => count('broken'));
    if (stalls === 'body') asked.write(text.slice(0, text.length / 2));
    else asked.end(text);
  });
}

process.on('message', (message: FloodOrder | 'report') => {
  if (message === 'report') return void process.send?.({ statuses } satisfies FloodReport);
  const { ports, parallel, requests } = message;
  for (let client = 0; client < parallel; client++) {
    const port = ports[client % ports.length] ?? 0;
    void (async () => {
      for (let turn = client; ; turn++) {
        const next = requests[turn % requests.length];
        if (next) await send(port, next);
      }
    })();
  }
});

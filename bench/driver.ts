// Simulates clients in a process of its own. Each client sends a job, waits for the response, and sends the next job.
import { randomUUID } from 'node:crypto';
import { Agent, request, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { JOBS, type JobName } from './jobs.ts';

export interface Order {
  readonly port: number;
  readonly job: JobName;
  readonly clients: number;
  readonly seconds: number;
  /** The consecutive number of the first job of this run. A job's number determines its customer and its products. */
  readonly from: number;
  /** Milliseconds that a client waits between two jobs. */
  readonly pause?: number;
  /** Whether each POST has its own Idempotency-Key. */
  readonly keyed?: boolean;
}
export interface Outcome {
  /** The latency of each job in milliseconds. */
  readonly latencies: readonly number[];
  readonly elapsedMs: number;
  readonly bytes: number;
  readonly errors: number;
  readonly fault: string | null;
}
type Call = ReturnType<(typeof JOBS)[JobName]>['calls'][number];

/** The time limit of one request, so that a run ends even when a server does not respond. */
const MAX_MS = 20_000;

interface Shift {
  readonly order: Order;
  readonly agent: Agent;
  readonly checked: Set<string>;
  started: number;
  errors: number;
  fault: string | null;
  latencies: number[];
}

async function bodyOf(answer: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const encoding = answer.headers['content-encoding'];
  return encoding === 'br' ? brotliDecompressSync(body) : encoding === 'gzip' ? gunzipSync(body) : body;
}

function send(shift: Shift, call: Call, userId: number | null): Promise<IncomingMessage> {
  const { method, path, body } = call;
  const headers = {
    ...(userId === null ? {} : { cookie: `sid=s${userId}` }),
    'accept-encoding': 'br',
    ...(shift.order.keyed && method === 'POST' ? { 'idempotency-key': randomUUID() } : {}),
    ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
  };
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port: shift.order.port, method, path, headers, agent: shift.agent, timeout: MAX_MS }, resolve)
      .on('timeout', () => reject(new Error(`${method} ${path}: no answer`)))
      .on('error', reject)
      .end(body);
  });
}

/** Sends one call and checks the status of the response. For the first response of each kind of call, also checks the number of rows. */
async function perform(shift: Shift, call: Call, userId: number | null): Promise<void> {
  const answer = await send(shift, call, userId);
  const kind = `${call.method} ${call.rows}`;
  if (answer.statusCode !== 200 && answer.statusCode !== 201) {
    throw new Error(`${call.method} ${call.path}: ${answer.statusCode} ${(await bodyOf(answer)).toString().slice(0, 200)}`);
  }
  if (call.rows !== undefined && !shift.checked.has(kind)) {
    shift.checked.add(kind);
    const { length } = JSON.parse((await bodyOf(answer)).toString()) as unknown[];
    if (length !== call.rows) throw new Error(`${call.path}: ${length} rows, not ${call.rows}`);
    return;
  }
  await new Promise<void>((resolve, reject) => answer.on('end', resolve).on('error', reject).resume());
}

async function client(shift: Shift, until: number): Promise<void> {
  const { job, from, pause: between } = shift.order;
  while (performance.now() < until) {
    const { userId, calls } = JOBS[job](from + shift.started++);
    const began = performance.now();
    try {
      for (const call of calls) await perform(shift, call, userId);
      shift.latencies.push(performance.now() - began);
    } catch (error) {
      shift.errors++;
      shift.fault ??= String(error);
    }
    if (between) await pause(between);
  }
}

async function work(order: Order): Promise<Outcome> {
  const agent = new Agent({ keepAlive: true, maxSockets: order.clients });
  const sockets = new Set<Socket>();
  agent.on('free', (socket: Socket) => void sockets.add(socket));
  const shift: Shift = { order, agent, checked: new Set(), started: 0, errors: 0, fault: null, latencies: [] };
  const began = performance.now();
  await Promise.all(Array.from({ length: order.clients }, () => client(shift, began + order.seconds * 1000)));
  const elapsedMs = performance.now() - began;
  const bytes = [...sockets].reduce((sum, socket) => sum + socket.bytesRead, 0);
  agent.destroy();
  return { latencies: shift.latencies, elapsedMs, bytes, errors: shift.errors, fault: shift.fault };
}

process.on('message', (order: Order) => {
  void work(order).then((outcome) => process.send?.(outcome));
});

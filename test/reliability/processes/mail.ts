// Six processes send 500 mails, and one of them is killed with kill -9 halfway. Each mail must be sent once, or the application must show
// that its outcome is unknown.
import { setTimeout as pause } from 'node:timers/promises';
import { run } from '../../../src/server/database/db.ts';
import { enqueueAll } from '../../../src/server/mail/outbox.ts';
import { withDb, type Shop } from '../setup/orders-and-customers.ts';
import { SERVERS, WORKERS, type Fleet, type FleetFindings } from './fleet.ts';
import type { TestDb } from '../../database/test-db.ts';

const MAX_MS = 180_000;
/**
 * The number of mails of one distributor that one process sends at the same time. When a process is killed, the outcome of at most this many
 * mails is unknown.
 */
const MAX_IN_DOUBT = 2;

interface Ends {
  readonly sent: number;
  readonly unknown: number;
  readonly open: number;
  readonly sending: number;
  readonly held: number;
}
const ENDS = `SELECT count(*) FILTER (WHERE status = 'sent')::int AS sent, count(*) FILTER (WHERE status = 'unknown')::int AS unknown,
    count(*) FILTER (WHERE status IN ('queued', 'sending'))::int AS open, count("leasedUntil")::int AS held,
    count(*) FILTER (WHERE status = 'sending')::int AS sending
  FROM emails WHERE subject = 'Five hundred'`;
/** Moves the leases of a killed process into the past, as if they had expired. */
const LATER = `UPDATE emails SET "leasedUntil" = "leasedUntil" - interval '20 minutes' WHERE subject = 'Five hundred'`;

async function ends(db: TestDb): Promise<Ends> {
  const [found] = await run<Ends>(db, ENDS, []);
  if (!found) throw new Error('the mails could not be counted');
  return found;
}

export const mails = (fleet: Fleet, shop: Shop, many: number): Promise<FleetFindings> =>
  withDb(fleet.place, (db) => sendAll(db, fleet, { shop, many }));

async function sendAll(db: TestDb, fleet: Fleet, { shop, many }: { shop: Shop; many: number }): Promise<FleetFindings> {
  const { smtp } = fleet;
  const before = smtp.taken.length;
  smtp.slowness = 50;
  const mail = { kind: 'bulk' as const, distributorId: shop.distributor.id, userId: shop.buyers[0]?.id ?? 0, subject: 'Five hundred' };
  const all = Array.from({ length: many }, (_, index) => ({ ...mail, to: `person${index}@test.example`, html: '<p>At noon</p>' }));
  await enqueueAll(db, all);
  const taken = (): string[] => smtp.taken.slice(before).flatMap(({ recipients }) => recipients.filter((to) => /^person\d/.test(to)));
  for (const until = Date.now() + MAX_MS; taken().length < many / 2 && Date.now() < until;) await pause(2);
  // The mail server is now so slow that all six processes are sending at the same time. Then one of them is killed.
  smtp.slowness = 3000;
  const busy = MAX_IN_DOUBT * (SERVERS + WORKERS);
  for (const until = Date.now() + 20_000; (await ends(db)).sending < busy && Date.now() < until;) await pause(10);
  await fleet.workers[0]?.kill();
  smtp.slowness = 50;
  // Waits until the other processes have finished their mails. The mails that are left were claimed by the killed process.
  const rest = async (): Promise<Ends> => {
    for (const until = Date.now() + MAX_MS; ; await pause(100)) {
      const found = await ends(db);
      if (found.open === 0 || (found.open === found.held && found.open <= MAX_IN_DOUBT) || Date.now() > until) return found;
    }
  };
  await rest();
  await pause(1000);
  const dead = await rest();
  await run(db, LATER, []);
  for (const until = Date.now() + MAX_MS; (await ends(db)).open > 0 && Date.now() < until;) await pause(100);
  const { sent, unknown, open } = await ends(db);
  smtp.slowness = 0;
  const doubles = taken().length - new Set(taken()).size;
  const wrong = [
    ...(doubles > 0 ? [`${doubles} mails twice`] : []),
    ...(sent + unknown !== many || open > 0 ? [`of ${many} mails ${sent} sent, ${unknown} unknown, ${open} open`] : []),
    ...(unknown < 1 || unknown > MAX_IN_DOUBT || unknown > dead.open ? [`${unknown} in doubt, ${dead.open} left by the dead one`] : []),
    ...(taken().length < sent ? [`${sent} rows say sent, ${taken().length} were taken`] : []),
  ];
  return { line: `${many} mails by six, one killed: ${sent} sent once, ${unknown} unknown and shown, ${doubles} twice`, wrong };
}

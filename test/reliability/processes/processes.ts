// Runs several servers and workers on one database. Changes that one process makes must apply in all of them. It must be possible to
// restart each process while customers order.
import { accounts } from './accounts.ts';
import { openFleet, SERVERS, WORKERS, type FleetFindings } from './fleet.ts';
import { mails } from './mail.ts';
import { closings, prices, replays } from './orders.ts';
import { rolling } from './rolling.ts';
import type { Outcome, Setting } from '../reliability-test.ts';
import { createShop } from '../setup/orders-and-customers.ts';

const CLIENTS = 16;

export async function processes({ on, runs, tell }: Setting): Promise<Outcome> {
  const fleet = await openFleet(on);
  const shop = await createShop(fleet.place, CLIENTS);
  const found: FleetFindings[] = [];
  const parts = [
    () => accounts(fleet, runs(5)),
    () => replays(fleet, shop, runs(40)),
    () => closings(fleet, shop, runs(10)),
    () => prices(fleet, shop, runs(40)),
    // The test sends at least 150 mails. With fewer mails, some processes would have nothing to send.
    () => mails(fleet, shop, Math.max(150, runs(500))),
    () => rolling(fleet, shop, runs(3)),
  ];
  for (const part of parts) {
    const { line, wrong } = await part();
    tell([line, ...wrong].join('; '));
    found.push({ line, wrong });
  }
  await fleet.close();
  const wrong = found.flatMap((one) => one.wrong);
  const line = [`${SERVERS} servers and ${WORKERS} workers`, ...found.map((one) => one.line), ...wrong].join('; ');
  return { line, holds: wrong.length === 0 };
}

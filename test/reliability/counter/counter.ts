// Tests the pick-up counter screen over a network that fails. Two stations serve the same families, and the network of each station is cut
// repeatedly. While it is cut, pages are reloaded and browsers killed. The server is killed with kill -9. A new release of the client takes
// over while entries are still waiting to be sent.
import { setTimeout as pause } from 'node:timers/promises';
import { makeAgent, makeCustomer, makeDistribution, makeDistributor, makeFee, makeProduct } from '../../data/factories.ts';
import { makeOrder } from '../../data/order-rows.ts';
import { mulberry32 } from '../../../src/domain/rehearsal/seeded-random.ts';
import { SEED } from '../../setup/sampling.ts';
import { cents } from '../../../src/domain/money.ts';
import { openTestDatabase, type TestDatabase } from '../setup/databases.ts';
import { startProduct, type Product } from '../setup/product.ts';
import { signedIn, withDb, type Buyer } from '../setup/orders-and-customers.ts';
import { counted, waitUntil, type Outcome, type Setting } from '../reliability-test.ts';
import { exactBalances, tally } from './ledger.ts';
import { openNetwork } from './network.ts';
import { buildNextRelease, NEW_TEXT } from './release.ts';
import { Shift, type Schedule } from './shift.ts';
import { Station } from './station.ts';
import { freePort } from '../../../bench/environment/free-port.ts';

const CUTS = 30;
const [SHORTEST_CUT, MAX_CUT] = [5, 60];
const FAMILIES_PER_CUT = 12;
const [RELOADS, KILLS] = [5, 3];
/**
 * The number of units that are weighed for each family. It is FEWER_UNITS if the test cuts the network less often than CUTS times, and
 * otherwise UNITS.
 */
const [UNITS, FEWER_UNITS] = [5, 3];
/** Every tenth order is opened on the stations, to compare the balance on their screens with the exact balance. */
const SHOWN_EVERY = 10;

interface Day {
  readonly distributionId: number;
  readonly orders: readonly number[];
  readonly people: readonly Buyer[];
  readonly distributor: Buyer;
}

const crowdedDay = (place: TestDatabase, families: number, units: number): Promise<Day> =>
  withDb(place, async (db) => {
    const distributor = await makeDistributor(db);
    const agent = await makeAgent(db, distributor, { mayTakePayments: true });
    const distribution = await makeDistribution(db, distributor, { orderingOpen: false, acceptActuals: true });
    const meat = { unit_qty: 5, uom: 'lb', unit_qty_is_estimate: true };
    const brisket = await makeProduct(db, distribution, { ...meat, name: 'Brisket', unit_price: cents(1099) });
    const turkey = await makeProduct(db, distribution, { ...meat, name: 'Turkey', unit_price: cents(433) });
    const matzah = await makeProduct(db, distribution, { name: 'Matzah', unit_price: cents(595), uom: null });
    await makeFee(db, distribution, { name: 'Service', type: 'percent', amount: 275 });
    await makeFee(db, distribution, { name: 'Hall', amount: 300 });
    const orders: number[] = [];
    for (let family = 1; family <= families; family++) {
      const customer = await makeCustomer(db, distributor, { firstName: 'Rivka', lastName: `Family${family}` });
      const lines = [
        [brisket, units - 1],
        [turkey, 1],
        [matzah, 1 + (family % 3)],
      ] as const;
      orders.push((await makeOrder(db, distribution, customer, lines)).id);
    }
    const owner = await signedIn(db, distributor);
    return { distributionId: distribution.id, orders, people: [owner, await signedIn(db, agent)], distributor: owner };
  });

/** A server on a fixed port that can be killed and started again. */
class Server {
  readonly port: number;
  readonly #place: TestDatabase;
  #product: Product;
  #root: string | undefined;
  kills = 0;

  private constructor(place: TestDatabase, port: number, product: Product) {
    [this.#place, this.port, this.#product] = [place, port, product];
  }
  static async start(place: TestDatabase): Promise<Server> {
    const port = await freePort();
    return new Server(place, port, await startProduct(place, { PORT: String(port) }));
  }
  get product(): Product {
    return this.#product;
  }
  /** Kills the server with kill -9 and starts the release in the folder `root`. Without `root`, the same release is started again. */
  async killAndRestart(root = this.#root): Promise<void> {
    this.kills += 1;
    this.#root = root;
    await this.#product.kill();
    await pause(1500);
    this.#product = await startProduct(this.#place, { PORT: String(this.port) }, root);
  }
}

interface Run {
  readonly day: Day;
  readonly server: Server;
  readonly shifts: readonly [Shift, Shift];
  readonly counts: { reloads: number; restarts: number; takenOver: number };
}

const spread = (cuts: number, share: number): number => Math.max(1, Math.ceil(cuts * share));

/** Returns a schedule for each station. It says which tasks run during or after which cut of the station's network. */
function schedules(
  { server, shifts, counts }: Run,
  { cuts, longest, nextRelease }: { cuts: number; longest: number; nextRelease: string },
) {
  const switched = Promise.withResolvers<void>();
  return shifts.map((shift, index): Schedule => {
    const random = mulberry32(SEED + index);
    const whileCut = new Map<number, (() => Promise<void>)[]>();
    const plan = (share: number, task: () => Promise<void>, earlier = 0): void => {
      const number = Math.max(1, spread(cuts, share) - earlier);
      whileCut.set(number, [...(whileCut.get(number) ?? []), task]);
    };
    const { station, network } = shift;
    for (let reload = 1; reload <= RELOADS; reload++) {
      const reloadPage = async (): Promise<void> => {
        await station.reload();
        counts.reloads += 1;
      };
      // Cuts that refuse connections alternate with cuts that deliver no data. Every other reload comes one cut earlier, so that pages are
      // reloaded during both kinds of cut.
      plan(reload / RELOADS, reloadPage, reload % 2);
    }
    plan(0.5, async () => {
      // The browser gets half a second to write its last entries to the disk before it is killed. A reloaded page gets no such pause.
      await pause(500);
      await station.killAndRestart();
      counts.restarts += 1;
    });
    const takeOver = async (isNew: boolean): Promise<void> => {
      const waiting = await station.waiting();
      await station.closeTabs(isNew ? 0 : 1);
      if (isNew) {
        await server.killAndRestart(nextRelease);
        switched.resolve();
      } else await switched.promise;
      network.restore();
      await station.openTabs();
      await station.newest.getByText(NEW_TEXT).waitFor();
      counts.takenOver += waiting;
    };
    // At the second station, all tabs are closed and opened again with the new client. At the first station, an old tab stays open beside
    // the new tab.
    plan(index === 0 ? 0.45 : 0.35, () => takeOver(index === 1));
    const kills = index === 0 ? [0.3, 0.6] : [];
    const afterwards = new Map(kills.map((share) => [spread(cuts, share), () => server.killAndRestart()]));
    return { cuts, random, whileCut, afterwards, seconds: () => SHORTEST_CUT + random() * (longest - SHORTEST_CUT) };
  });
}

const REPORT = (distributionId: number): string => `/api/distributions/${distributionId}/customer-report`;

/** Returns the orders whose balance in the report or on a screen differs from the exact balance. */
async function wrongBalances(place: TestDatabase, { day, server, shifts }: Run): Promise<string[]> {
  const exact = await exactBalances(place, day.distributionId);
  const { text } = await server.product.ask({ path: REPORT(day.distributionId), cookie: day.distributor.cookie });
  const rows = (JSON.parse(text) as { order_id: number | null; balance: number }[]).filter(({ order_id }) => order_id !== null);
  const wrong = rows.filter(({ order_id, balance }) => exact.get(order_id ?? 0) !== balance).map(({ order_id }) => `report ${order_id}`);
  if (rows.length !== day.orders.length) wrong.push(`the report has ${rows.length} orders`);
  for (const { station } of shifts) {
    for (const orderId of day.orders.filter((_, index) => index % SHOWN_EVERY === 0)) {
      if ((await station.balanceOf(orderId)) !== exact.get(orderId)) wrong.push(`screen ${orderId}`);
    }
  }
  return wrong;
}

/** Returns the number of refused entries that the screen does not list with their reasons. */
async function hiddenRefused(station: Station, refused: readonly { reason: string }[]): Promise<number> {
  const shown = refused.length === 0 ? [] : await station.visibleRefused();
  const listed = refused.filter(({ reason }) => reason !== '' && shown.some((entry) => entry.includes(reason))).length;
  return refused.length - Math.min(listed, shown.length);
}

async function verify(place: TestDatabase, run: Run): Promise<Outcome> {
  const { day, shifts, server, counts } = run;
  for (const { station } of shifts) {
    const isSent = async (): Promise<boolean> => (await station.waiting()) === 0;
    await waitUntil(isSent, 'entries still wait a minute after the last cut', 500).catch(async (error: Error) => {
      throw new Error(`${error.message}: ${await station.describeQueue()}`);
    });
    await station.settle();
  }
  const refused = await Promise.all(shifts.map(({ station }) => station.refused()));
  const noted = shifts.map(({ station }, index) => ({
    userId: day.people[index]?.id ?? 0,
    entries: station.entries,
    refused: (refused[index] ?? []).map(({ entry }) => entry),
  }));
  const { lost, doubled, recorded } = await tally(place, day.distributionId, noted);
  let hidden = 0;
  for (const [index, { station }] of shifts.entries()) hidden += await hiddenRefused(station, refused[index] ?? []);
  const wrong = await wrongBalances(place, run);
  for (const problem of [...lost, ...doubled, ...wrong]) console.error(problem);
  const sum = (of: (shift: Shift) => number): number => shifts.reduce((all, shift) => all + of(shift), 0);
  const parts = [
    `${counted(
      sum(({ cuts }) => cuts),
      'cuts',
    )} of ${Math.round(sum(({ seconds }) => seconds))} s in all`,
    `${counted(counts.reloads, 'reloads')} and ${counted(counts.restarts, 'kills of the browser')} without a network`,
    `${counted(server.kills, 'kills of the server')}`,
    `a new release with ${counted(counts.takenOver, 'entries waiting')}`,
    `${counted(
      sum(({ served }) => served),
      'families',
    )}, ${counted(
      sum(({ station }) => station.entries.length),
      'entries shown',
    )}, ${recorded} recorded`,
    `${counted(refused.flat().length, 'refused')}, ${hidden} of them hidden`,
    `${lost.length} lost, ${doubled.length} doubled, ${wrong.length} wrong balances of ${day.orders.length}`,
  ];
  const isAsked = counts.reloads > 0 && counts.restarts === shifts.length && server.kills === KILLS && counts.takenOver > 0;
  return { line: parts.join('; '), holds: isAsked && [lost, doubled, wrong].every(({ length }) => length === 0) && hidden === 0 };
}

export async function counter({ on, runs, tell }: Setting): Promise<Outcome> {
  const cuts = runs(CUTS);
  // If the test makes fewer cuts than CUTS, the longest cut is shortened in proportion.
  const longest = SHORTEST_CUT + ((MAX_CUT - SHORTEST_CUT) * cuts) / CUTS;
  const place = await openTestDatabase(on);
  const server = await Server.start(place);
  const day = await crowdedDay(place, FAMILIES_PER_CUT * cuts, cuts < CUTS ? FEWER_UNITS : UNITS);
  tell('building the next release');
  const nextRelease = await buildNextRelease();
  const open = async (index: number, role: string): Promise<Shift> => {
    const network = await openNetwork(server.port);
    const random = mulberry32(SEED + 10 + index);
    // One station types even hundredths and the other one odd hundredths, so that the test can tell their weights apart. All weights are
    // similar, so that the screen never asks about an unusual weight.
    const weight = (): number => 470 + 2 * Math.floor(random() * 30) + index;
    const user = day.people[index];
    if (!user) throw new Error('nobody is at the station');
    const station = await Station.open({
      network,
      user,
      weight,
      tabs: 2 - index,
      path: `/${role}/distribution/${day.distributionId}/counter`,
    });
    return new Shift(station, network);
  };
  const run: Run = {
    day,
    server,
    shifts: [await open(0, 'distributor'), await open(1, 'agent')],
    counts: { reloads: 0, restarts: 0, takenOver: 0 },
  };
  tell(`${cuts} cuts at each of two stations`);
  const plans = schedules(run, { cuts, longest, nextRelease });
  await Promise.all(
    run.shifts.map(async (shift, index) => {
      const plan = plans[index];
      if (plan) await shift.run(day.orders, plan);
      tell(`station ${index + 1} has served ${shift.served} families`);
    }),
  );
  return await verify(place, run);
}

// The counter's IndexedDB database on the device. It stores the orders of the families that the signed-in user serves, and the queue of
// unsent writes (contract §14).
import { deleteDB, openDB, type DBSchema, type IDBPDatabase } from 'idb';
import { STAFF_IDLE_HOURS } from '../../../domain/accounts/session-limits.ts';
import type { CurrentUser } from '../../auth/contract.ts';
import type { Catalogue, CounterOrder, CounterState } from '../contract.ts';
import { isOutcomeUnknown, isRefused, isUnsent, type NewWrite, type QueuedWrite } from './writes.ts';
import { HOUR } from '../../../domain/durations.ts';

/** What the device stores about a distribution, except its orders. */
export interface Snapshot {
  readonly user: CurrentUser;
  readonly distribution: CounterState['distribution'];
  readonly viewer: CounterState['viewer'];
  readonly catalogue: Catalogue;
  readonly mark: string;
  /** When the server's response was received, in milliseconds since 1970. */
  readonly readAt: number;
}

interface Stores extends DBSchema {
  /** The key is [user id, distribution id]. */
  snapshots: { key: [number, number]; value: Snapshot };
  /** The key is [user id, distribution id, order id]. */
  orders: { key: [number, number, number]; value: CounterOrder };
  writes: { key: number; value: QueuedWrite };
}
export type CounterDb = IDBPDatabase<Stores>;

export const DB_NAME = 'feastday-counter';

let opened: Promise<CounterDb> | null = null;
/** True after a sign-out. Code that is still running must not create the database again. */
let isRemoved = false;

export function counterDb(): Promise<CounterDb> {
  if (isRemoved) return Promise.reject(new Error('The counter was removed from this device.'));
  opened ??= openDB<Stores>(DB_NAME, 1, {
    upgrade(db) {
      db.createObjectStore('snapshots');
      db.createObjectStore('orders');
      db.createObjectStore('writes', { keyPath: 'seq', autoIncrement: true });
    },
    // Runs when another tab deletes the database at sign-out or opens a later version of it. The other tab must wait until this tab closes
    // its connection, so this tab closes it at once.
    blocking: (_from, _to, event) => {
      opened = null;
      (event.target as IDBDatabase).close();
    },
    terminated: () => {
      opened = null;
    },
  });
  opened.catch(() => {
    opened = null;
  });
  return opened;
}

export async function closeCounterDb(): Promise<void> {
  const open = opened;
  opened = null;
  (await open?.catch(() => null))?.close();
}

/** Lets this tab open the database again after a sign-out. Called when a counter opens, and when another screen watches the queue. */
export function allowCounterDb(): void {
  isRemoved = false;
}

/** Called when another tab has signed out: this tab must not open the database again. */
export function forbidCounterDb(): void {
  isRemoved = true;
}

export const isCounterDbRemoved = (): boolean => isRemoved;

/** Rejects in browsers that cannot list databases. */
export const hasCounterDb = async (): Promise<boolean> => (await indexedDB.databases()).some(({ name }) => name === DB_NAME);

export async function removeCounterDb(): Promise<void> {
  forbidCounterDb();
  await closeCounterDb();
  await deleteDB(DB_NAME);
}

/** The keys of the families of all users but one. If `user` is null, these are all families. */
const familiesOfOthers = (user: number | null): IDBKeyRange[] =>
  user === null ? [IDBKeyRange.lowerBound([0])] : [IDBKeyRange.upperBound([user]), IDBKeyRange.lowerBound([user + 1])];

/**
 * Removes the families of all users but `current`, and the unsent writes whose keys are in `lostKeys`: the user who signs out has agreed to
 * lose them. `lostKeys` is null if nobody signs out. The writes of users with other unsent writes stay, because only these users can send
 * them: these can be writes that the user has made since the question. Returns the id of one of these users, or null. If nothing stays, and
 * nobody is signed in (`current` is null), deletes the database.
 */
export async function removeDataOf(lostKeys: readonly string[] | null, current: number | null = null): Promise<number | null> {
  allowCounterDb();
  const opening = counterDb();
  if (lostKeys !== null) forbidCounterDb();
  const removing = (await opening).transaction(['snapshots', 'orders', 'writes'], 'readwrite');
  for (const families of familiesOfOthers(current)) {
    void removing.objectStore('snapshots').delete(families);
    void removing.objectStore('orders').delete(families);
  }
  const writes = await removing.objectStore('writes').getAll();
  const lost = new Set(lostKeys);
  const isLost = (write: QueuedWrite): boolean => isUnsent(write) && lost.has(write.key);
  // A user who returns also needs the sent writes: the reversal of a payment needs the payment's id.
  const returning = new Set(writes.filter((write) => isUnsent(write) && !isLost(write)).map(({ userId }) => userId));
  const kept = writes.filter((write) => write.userId === current || (returning.has(write.userId) && !isLost(write)));
  for (const write of writes) if (!kept.includes(write)) void removing.objectStore('writes').delete(write.seq);
  await removing.done;
  if (current === null) await (kept.length > 0 ? closeCounterDb() : removeCounterDb());
  return kept.find(({ userId }) => userId !== current)?.userId ?? null;
}

/**
 * Whether the session must have expired, because the last read is longer ago than STAFF_IDLE_HOURS. A device without a network cannot ask
 * the server, so it compares the times itself.
 */
export const isSessionOver = ({ readAt }: Snapshot): boolean => Date.now() - readAt > STAFF_IDLE_HOURS * HOUR;

const ordersOf = (userId: number, distributionId: number): IDBKeyRange =>
  IDBKeyRange.bound([userId, distributionId, 0], [userId, distributionId, Infinity]);

export interface Stored {
  readonly snapshot: Snapshot;
  readonly orders: readonly CounterOrder[];
}

export async function readStored(userId: number, distributionId: number): Promise<Stored | null> {
  const db = await counterDb();
  const read = db.transaction(['snapshots', 'orders']);
  const snapshot = await read.objectStore('snapshots').get([userId, distributionId]);
  const orders = await read.objectStore('orders').getAll(ordersOf(userId, distributionId));
  await read.done;
  // Another distribution may have been read later, so that its families may stay.
  if (snapshot && isSessionOver(snapshot)) await removeFamilies(userId, distributionId);
  else if (snapshot) return { snapshot, orders };
  return null;
}

/** Returns the user whose data of this distribution is stored on the device. */
export async function findOwner(distributionId: number): Promise<CurrentUser | null> {
  const keys = await (await counterDb()).getAllKeys('snapshots');
  const key = keys.find(([, id]) => id === distributionId);
  const snapshot = key && (await (await counterDb()).get('snapshots', key));
  if (!snapshot) return null;
  return (await readStored(snapshot.user.id, distributionId))?.snapshot.user ?? null;
}

interface Update {
  readonly snapshot: Snapshot;
  readonly orders: readonly CounterOrder[];
  /**
   * The mark of the earlier read, if `orders` contains only the orders that changed since that read. Null if `orders` contains all orders.
   */
  readonly since: string | null;
}

/**
 * Stores an update. Returns false when another tab has stored a later update already; the caller must then show the stored data. If the update
 * cannot be stored, usually because the device has no room, removes what the device stores of the distribution, so that queued writes have
 * room, and returns true: the caller shows what it has read. Until an update can be stored, each read reads all orders.
 */
export async function storeUpdate(update: Update): Promise<boolean> {
  const { user, distribution } = update.snapshot;
  try {
    return await store(update);
  } catch (error) {
    if (isCounterDbRemoved()) throw error;
    await removeFamilies(user.id, distribution.id);
    return true;
  }
}

async function store({ snapshot, orders, since }: Update): Promise<boolean> {
  const [userId, distributionId] = [snapshot.user.id, snapshot.distribution.id];
  const writing = (await counterDb()).transaction(['snapshots', 'orders'], 'readwrite');
  const known = await writing.objectStore('snapshots').get([userId, distributionId]);
  if (since !== null && known?.mark !== since) {
    await writing.done;
    return false;
  }
  if (since === null) await writing.objectStore('orders').delete(ordersOf(userId, distributionId));
  for (const order of orders) void writing.objectStore('orders').put(order, [userId, distributionId, order.id]);
  void writing.objectStore('snapshots').put(snapshot, [userId, distributionId]);
  await writing.done;
  return true;
}

/** Whether the device stores the orders of this distribution for this user. */
export const isStored = async (userId: number, distributionId: number): Promise<boolean> =>
  (await (await counterDb()).getKey('snapshots', [userId, distributionId])) !== undefined;

/** Returns what the device stores about each distribution, without the orders. */
export const readSnapshots = async (): Promise<Snapshot[]> => await (await counterDb()).getAll('snapshots');

/** Removes the orders of one distribution. The queue of writes stays. */
export async function removeFamilies(userId: number, distributionId: number): Promise<void> {
  const removing = (await counterDb()).transaction(['snapshots', 'orders'], 'readwrite');
  void removing.objectStore('snapshots').delete([userId, distributionId]);
  void removing.objectStore('orders').delete(ordersOf(userId, distributionId));
  await removing.done;
}

/** Returns the writes of all users, in the sequence in which they are sent. */
export const readWrites = async (): Promise<QueuedWrite[]> => await (await counterDb()).getAll('writes');
export const readWritesOf = async (user: number): Promise<QueuedWrite[]> => (await readWrites()).filter(({ userId }) => userId === user);

/** Adds the writes of one action at the end of the queue, all or none. */
export async function addWrites(added: readonly NewWrite[]): Promise<void> {
  // Durability 'strict' writes to the disk, so that a write that the screen shows survives a power failure of the tablet.
  const adding = (await counterDb()).transaction('writes', 'readwrite', { durability: 'strict' });
  // IndexedDB assigns `seq`, the sequence number.
  for (const write of added) void adding.store.add({ ...write, status: 'waiting' } as QueuedWrite);
  // Without an explicit commit, the browser aborts the transaction when the user reloads the page at once.
  adding.commit();
  await adding.done;
}

export type Change = (write: QueuedWrite) => QueuedWrite | null;

/** Identifies a queued write. The sequence number alone is not enough, because it begins with 1 again after a sign-out. */
type WriteId = Pick<QueuedWrite, 'seq' | 'key'>;

/**
 * Changes queued writes in one transaction. `change` returns the changed write, null to remove the write, or the same object to leave it as
 * it is. Returns the number of changed and removed writes. A write that is no longer in the queue is skipped.
 */
export async function changeWrites(ids: readonly WriteId[], change: Change): Promise<number> {
  const changing = (await counterDb()).transaction('writes', 'readwrite');
  let changed = 0;
  const stored = await Promise.all(ids.map(({ seq }) => changing.store.get(seq)));
  for (const [index, { key }] of ids.entries()) {
    const write = stored[index];
    const next = write?.key === key ? change(write) : write;
    if (!write || next === write) continue;
    changed += 1;
    if (next) void changing.store.put(next);
    else void changing.store.delete(write.seq);
  }
  await changing.done;
  return changed;
}

/** Changes a write only if it is still refused, because the user may have sent it again or discarded it in another tab. */
export const changeRefused = async (id: WriteId, change: Change): Promise<boolean> =>
  (await changeWrites([id], (write) => (isRefused(write) ? change(write) : write))) > 0;

/** Removes a write that the server has not recorded; returns false when the queue does not contain the write. */
export async function withdrawWrite(key: string): Promise<boolean> {
  const queued = (await readWrites()).filter((write) => write.key === key);
  const mayBeRemoved = (write: QueuedWrite): boolean => write.status === 'waiting' || (isRefused(write) && !isOutcomeUnknown(write));
  return (await changeWrites(queued, (write) => (mayBeRemoved(write) ? null : write))) > 0;
}

export async function removeWrites(ids: readonly WriteId[]): Promise<void> {
  if (ids.length > 0) await changeWrites(ids, () => null);
}

// Holds the state of an open counter: the orders, which it reads every few seconds, the queue of writes, and the last step, which Undo can
// take back (contract §14).
import { CallError, isFinal, type Call } from '../../../client/api/fetch.ts';
import { randomKey } from '../../../client/api/idempotency-key.ts';
import { deviceOwner, setDeviceOwner } from '../../../client/storage/device-owner.ts';
import { toast } from '../../../client/toasts/toast.ts';
import type { Cents } from '../../../domain/money.ts';
import { sortNameOrEmail } from '../../../shared/person-name.ts';
import { readUser, type CurrentUser } from '../../auth/contract.ts';
import { DECIDED_MEANWHILE, orderText, stepOf, UNDONE } from '../texts.ts';
import { READ_TIMEOUT_MS } from '../requests/timeouts.ts';
import {
  allowCounterDb,
  changeRefused,
  forbidCounterDb,
  isSessionOver,
  isStored,
  readStored,
  readWritesOf,
  removeFamilies,
  storeUpdate,
  type Change,
} from './counter-db.ts';
import { endSession } from './device-data.ts';
import { checkOtherFamilies } from './ended-families.ts';
import { createOutage } from './outage-toast.ts';
import { readOrders, type CounterRead } from './read-orders.ts';
import { forgetSent } from './send-writes.ts';
import { connectionAfter, NOTHING, snapshotAfter, takesPaymentBack, UNDO_FOR, type CounterView, type Step } from './counter-view.ts';
import { onTabMessage } from './tabs.ts';
import { withdrawStep } from './undo.ts';
import { writeText } from './write-text.ts';
import { WriteQueue } from './write-queue.ts';
import { lastPaymentIdOf, retried, type NewWrite, type QueuedWrite, type Write } from './writes.ts';

/** The pause between two reads. It is short enough to show the changes of other stations within 3 seconds. */
const POLL_INTERVAL_MS = 2000;

interface CounterStoreOptions {
  readonly call: Call;
  readonly user: CurrentUser;
  readonly distributionId: number;
  /** Called when the session has ended, after the orders are removed from the device. */
  readonly onSignedOut: () => void;
}

export class CounterStore {
  readonly #options: CounterStoreOptions;
  readonly #listeners = new Set<() => void>();
  readonly #outage = createOutage();
  readonly #queue: WriteQueue;
  #stopListening: () => void = () => undefined;
  #view = NOTHING;
  #isOn = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #reading: Promise<void> | null = null;
  /** Whether a read has shown that the session belongs to the user of this counter. Before that, no entry is sent. */
  #isUserKnown = false;

  constructor(options: CounterStoreOptions) {
    this.#options = options;
    this.#queue = new WriteQueue({
      call: options.call,
      userId: options.user.id,
      onShow: (writes) => this.#show({ writes }),
      onShowOthers: (othersUnsent) => this.#show({ othersUnsent }),
      onAccepted: this.#outage.accepted,
      onFailed: async (error) => await this.#failed(error),
    });
  }

  readonly view = (): CounterView => this.#view;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Shows the stored data, then polls the server and sends queued writes until the returned function is called. */
  start(): () => void {
    this.#isOn = true;
    this.#isUserKnown = false;
    this.#queue.start();
    allowCounterDb();
    addEventListener('online', this.refresh);
    addEventListener('offline', this.#offline);
    document.addEventListener('visibilitychange', this.refresh);
    this.#stopListening = onTabMessage((message) => {
      if (message === 'queue') return void this.#queue.reload();
      forbidCounterDb();
      this.#leave();
    });
    Promise.all([this.#showStored(), this.#queue.reload()]).then(
      () => this.#read().then(this.#checkOthers),
      (error: unknown) => this.#failed(error),
    );
    return () => this.#stop();
  }

  /**
   * Queues the writes of one action of the user. The bar with the Undo button describes it as `what`, or with the text of its first write.
   * `change` is the cash to give back to the family. The screen shows the effect of the writes before this function returns.
   */
  write(orderId: number, writes: readonly Write[], what?: string, change: Cents | null = null): void {
    const order = this.#view.orders.get(orderId);
    const family = order ? sortNameOrEmail(order) : orderText(orderId);
    const added = this.#make(orderId, writes);
    if (writes.some(({ kind }) => kind === 'payment')) this.#show({ changeDue: change ? { orderId, family, amount: change } : null });
    void this.#add(added, { orderId, family, what: what ?? added[0]?.text ?? '', writes: added, until: Date.now() + UNDO_FOR });
  }

  /** Called when an order is opened. The screen then no longer shows the cash that another family gets back. */
  readonly opened = (orderId: number): void => {
    if (this.#view.changeDue?.orderId !== orderId) this.#show({ changeDue: null });
  };

  /** Undoes the last step. Returns the step, or null if there is none or its time to undo is over. */
  async undo(): Promise<Step | null> {
    const step = this.#view.lastStep;
    this.#show({ lastStep: null });
    if (!step || step.until < Date.now()) return null;
    if (takesPaymentBack(step, this.#view.writes, this.#options.user.role)) this.#show({ changeDue: null });
    const { inverses, isComplete } = await withdrawStep(step, this.#options.user.role);
    await this.#queue.changed();
    const isKept = inverses.length === 0 || (await this.#add(this.#make(step.orderId, inverses), null));
    if (isComplete && isKept) toast({ title: UNDONE, description: stepOf(step.family, step.what), actionKey: 'counter-undo' });
    return step;
  }

  async retry(queued: QueuedWrite): Promise<void> {
    await this.#decide(queued, (write) => ({ ...retried(write, this.#view.orders.get(write.orderId)), key: randomKey() }));
  }

  async discard(queued: QueuedWrite): Promise<void> {
    await this.#decide(queued, () => null);
  }

  async #decide(queued: QueuedWrite, change: Change): Promise<void> {
    // Undo finds writes by their keys. Here the refused write is removed or gets another key, so Undo could no longer find it.
    if (this.#view.lastStep?.writes.some(({ key }) => key === queued.key)) this.#show({ lastStep: null });
    if (!(await changeRefused(queued, change))) toast({ title: DECIDED_MEANWHILE, actionKey: 'counter-queue' });
    await this.#queue.changed();
    await this.#read();
  }

  readonly refresh = (): void => {
    if (document.visibilityState === 'visible') void this.#read();
  };

  readonly #checkOthers = async (): Promise<void> => {
    const { call, distributionId } = this.#options;
    // If the server cannot be reached now, the check runs again when a counter is opened the next time.
    if (this.#isOn) await checkOtherFamilies(call, distributionId).catch(() => undefined);
  };

  readonly #offline = (): void => this.#show({ connection: 'offline' });

  #stop(): void {
    this.#isOn = false;
    clearTimeout(this.#timer);
    this.#queue.stop();
    removeEventListener('online', this.refresh);
    removeEventListener('offline', this.#offline);
    document.removeEventListener('visibilitychange', this.refresh);
    this.#stopListening();
  }

  #show(change: Partial<CounterView>): void {
    const next = { ...this.#view, ...change };
    if (Object.keys(change).every((name) => Object.is(Reflect.get(this.#view, name), Reflect.get(next, name)))) return;
    this.#view = next;
    // After the counter's page is left, the view has an empty queue, although entries may still wait on the device. The toast must not
    // report these entries as sent.
    if (this.#isOn) this.#outage.changed(next);
    for (const listener of this.#listeners) listener();
  }

  async #showStored(): Promise<void> {
    const { user, distributionId } = this.#options;
    const stored = await readStored(user.id, distributionId);
    if (stored) this.#show({ snapshot: stored.snapshot, orders: new Map(stored.orders.map((order) => [order.id, order])) });
  }

  #make(orderId: number, writes: readonly Write[]): NewWrite[] {
    const { user, distributionId } = this.#options;
    const common = { userId: user.id, role: user.role, distributionId, orderId, at: new Date().toISOString() };
    const order = this.#view.orders.get(orderId);
    const seen = order && { lastPaymentId: lastPaymentIdOf(order, this.#view.writes) };
    const products = this.#view.snapshot?.catalogue.products;
    // The text is stored, because the order may not be on the device any more when the write is displayed.
    return writes.map((write) => ({ ...common, ...seen, key: randomKey(), write, text: writeText(write, order, products) }));
  }

  /** Returns false if the browser could not store the writes. */
  async #add(added: readonly NewWrite[], lastStep: Step | null): Promise<boolean> {
    this.#show({ lastStep });
    const isStored = await this.#queue.add(added);
    if (!isStored && this.#view.lastStep === lastStep) this.#show({ lastStep: null, changeDue: null });
    // A running read may take long, so the entry does not wait for its end. If another user has signed in since the last read, the server
    // refuses the entry.
    if (this.#isUserKnown && this.#view.connection === 'online') void this.#queue.send();
    return isStored;
  }

  async #keep({ state, orders, since }: CounterRead, before: readonly QueuedWrite[]): Promise<void> {
    const snapshot = snapshotAfter(this.#view.snapshot, this.#options.user, state);
    // What another tab has stored may not contain the sent writes yet, so they stay in the queue.
    if (!(await storeUpdate({ snapshot, orders, since }))) return await this.#showStored();
    // Another tab may have removed the owner when the session of another user ended.
    setDeviceOwner(this.#options.user.id);
    const all = new Map(since === null ? [] : this.#view.orders);
    for (const order of orders) all.set(order.id, order);
    this.#show({ snapshot, ...(since === null || orders.length > 0 ? { orders: all } : {}) });
    if (this.#isOn) await forgetSent(before, this.#view.writes);
  }

  async #readOnce(): Promise<void> {
    const { call, user, distributionId } = this.#options;
    const before = await readWritesOf(user.id);
    // Another tab may have removed the orders from the device. In this case all orders are read and stored again.
    const since = (await isStored(user.id, distributionId)) ? (this.#view.snapshot?.mark ?? null) : null;
    const read = await readOrders(call, distributionId, since);
    // Stores nothing when the user has signed out during the read.
    if (!this.#isOn) return;
    if (read.state.viewer.id !== user.id) return await this.#signedOut();
    this.#isUserKnown = true;
    if (!read.state.distribution.acceptActuals) {
      await this.#removeOrders();
      return this.#show({ isClosed: true, connection: 'online' });
    }
    // The orders that were read may contain a payment whose response has not arrived yet. To show this payment only once, the screen needs
    // the state of the payment's write, so the queue is loaded first.
    await this.#queue.reload();
    // Only the response proves that there is a network. If the network is lost while the response is stored, the counter stays offline.
    this.#show({ connection: 'online' });
    await this.#keep(read, before);
    if (!this.#isOn) return;
    await this.#queue.reload();
    this.#show({ isClosed: false, error: null });
  }

  async #read(): Promise<void> {
    clearTimeout(this.#timer);
    this.#reading ??= this.#readOnce()
      .catch(async (error: unknown) => await (isFinal(error) ? this.#refused(error) : Promise.reject(error)))
      .catch((error: unknown) => this.#failed(error))
      .finally(() => {
        this.#reading = null;
        if (this.#isOn) this.#timer = setTimeout(() => void this.#read(), POLL_INTERVAL_MS);
      });
    await this.#reading;
    // The read has confirmed that the session still belongs to this user. The first writes are sent only then.
    if (this.#isOn && this.#view.connection === 'online' && this.#queue.hasWaiting()) void this.#queue.send();
  }

  async #signedOut(): Promise<void> {
    this.#stop();
    const owner = deviceOwner();
    // The owner can be another user who has opened the counter in another tab since.
    await endSession(owner === this.#options.user.id ? null : owner);
    this.#leave();
  }

  #leave(): void {
    this.#stop();
    this.#show(NOTHING);
    this.#options.onSignedOut();
  }

  /** Removes the orders of this distribution from the device and the screen. */
  async #removeOrders(): Promise<void> {
    const { user, distributionId } = this.#options;
    await removeFamilies(user.id, distributionId);
    this.#show({ snapshot: null, orders: new Map(), lastStep: null, changeDue: null });
  }

  /**
   * Called when the server has refused a read. Finds out whether the session still belongs to this user. If it does, the distribution may
   * have been deleted.
   */
  async #refused(error: CallError): Promise<void> {
    const { call, user } = this.#options;
    const signedIn = await call(readUser, { signal: AbortSignal.timeout(READ_TIMEOUT_MS) });
    if (!this.#isOn) return;
    if (signedIn.id !== user.id || signedIn.mustAddSecondFactor) return await this.#signedOut();
    this.#isUserKnown = true;
    if (error.status === 404) await this.#removeOrders();
    this.#show({ connection: 'online', error: this.#view.snapshot ? null : error });
  }

  /** Called when a read or the queue has failed for a reason that may pass, for example when there is no network. */
  async #failed(error: unknown): Promise<void> {
    if (!this.#isOn) return;
    if (error instanceof CallError && error.status === 401 && error.isFromServer) return await this.#signedOut();
    const { snapshot } = this.#view;
    if (snapshot && isSessionOver(snapshot)) await this.#removeOrders();
    const shown = error instanceof Error ? error : new Error(String(error));
    this.#show({ connection: connectionAfter(error), error: this.#view.snapshot ? null : shown });
  }
}

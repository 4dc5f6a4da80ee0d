// The queue of an open counter: shows the writes of the signed-in user, stores new ones, and sends them (contract §14).
import type { Call } from '../../../client/api/fetch.ts';
import { toast } from '../../../client/toasts/toast.ts';
import { NOT_KEPT } from '../texts.ts';
import { addWrites, readWrites } from './counter-db.ts';
import { sendWrites } from './send-writes.ts';
import { inOneTab, tellTabs } from './tabs.ts';
import { isUnsent, isWaiting, stateOf, type NewWrite, type QueuedWrite } from './writes.ts';

/** Milliseconds between two updates of the displayed queue while its writes are sent. */
const SHOWN_EVERY = 100;

interface WriteQueueOptions {
  readonly call: Call;
  readonly userId: number;
  /** Called with the writes to display, each time they have changed. */
  readonly onShow: (writes: readonly QueuedWrite[]) => void;
  /** Called with the number of unsent writes of other users, each time the stored queue was read. */
  readonly onShowOthers: (count: number) => void;
  /** Called with the number of writes that the server has just accepted. */
  readonly onAccepted: (count: number) => void;
  /** Called with the error that stopped sending. */
  readonly onFailed: (error: unknown) => Promise<void>;
}

export class WriteQueue {
  readonly #options: WriteQueueOptions;
  #shown: readonly QueuedWrite[] = [];
  /** The writes that the screen already shows but IndexedDB has not stored yet. */
  #unstored: readonly QueuedWrite[] = [];
  #isOn = false;
  #isSending = false;
  #showTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: WriteQueueOptions) {
    this.#options = options;
  }

  start(): void {
    this.#isOn = true;
    // The screen may have been cleared since the last start, so no write counts as shown.
    this.#shown = [];
  }

  stop(): void {
    this.#isOn = false;
    clearTimeout(this.#showTimer);
  }

  readonly hasWaiting = (): boolean => this.#shown.some(isWaiting);

  /** Shows the queue as it is stored now. */
  async reload(): Promise<void> {
    if (!this.#isOn) return;
    const stored = await readWrites();
    const isOwn = ({ userId }: QueuedWrite): boolean => userId === this.#options.userId;
    this.#options.onShowOthers(stored.filter((queued) => !isOwn(queued) && isUnsent(queued)).length);
    this.#showStored(stored.filter(isOwn));
  }

  /** Called after the stored queue was changed: other tabs and this tab show it again. */
  async changed(): Promise<void> {
    tellTabs('queue');
    await this.reload();
  }

  /** Shows the writes at once and stores them. Returns false, after a notification, if the browser could not store them. */
  async add(added: readonly NewWrite[]): Promise<boolean> {
    const shown = added.map((write): QueuedWrite => ({ ...write, seq: Infinity, status: 'waiting' }));
    this.#unstored = [...this.#unstored, ...shown];
    this.#show([...this.#shown, ...shown]);
    const isStored = await addWrites(added).then(
      () => true,
      () => false,
    );
    if (isStored) tellTabs('queue');
    else {
      toast({ title: NOT_KEPT.title, description: NOT_KEPT.description, variant: 'destructive', actionKey: 'counter-queue' });
      this.#show(this.#shown.filter((write) => !shown.includes(write)));
    }
    this.#unstored = this.#unstored.filter((write) => !shown.includes(write));
    return isStored;
  }

  async send(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    const { call, userId, onFailed } = this.#options;
    try {
      await inOneTab(() => sendWrites({ call, userId, onRead: this.#queueRead, onChange: this.#queueSent, isOn: () => this.#isOn }));
    } catch (error) {
      await onFailed(error);
    } finally {
      this.#isSending = false;
    }
  }

  #show(writes: readonly QueuedWrite[]): void {
    this.#shown = writes;
    this.#options.onShow(writes);
  }

  /** Shows the queue as it is stored, and the writes that are not stored yet. */
  #showStored(stored: readonly QueuedWrite[]): void {
    const keys = new Set(stored.map(({ key }) => key));
    const writes = [...stored, ...this.#unstored.filter(({ key }) => !keys.has(key))];
    if (writes.map(stateOf).join() !== this.#shown.map(stateOf).join()) this.#show(writes);
  }

  /** Shows the queue that was read for sending. The queue then need not be read a second time to show which writes were sent. */
  readonly #queueRead = (stored: readonly QueuedWrite[]): void => {
    if (!this.#isOn) return;
    if (this.#showTimer !== undefined) tellTabs('queue');
    clearTimeout(this.#showTimer);
    this.#showTimer = undefined;
    this.#showStored(stored);
  };

  readonly #queueSent = (accepted: number): void => {
    this.#options.onAccepted(accepted);
    if (!this.#isOn) return;
    this.#showTimer ??= setTimeout(() => {
      this.#showTimer = undefined;
      void this.changed();
    }, SHOWN_EVERY);
  };
}

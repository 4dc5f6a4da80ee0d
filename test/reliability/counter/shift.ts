// Runs one station of the pick-up counter during the day. It serves families while its network is cut and restored.
import { setTimeout as pause } from 'node:timers/promises';
import type { Network } from './network.ts';
import type { Station } from './station.ts';

/** A task that runs between two families, right after the screen has shown an entry as recorded. */
type Task = () => Promise<void>;

export interface Schedule {
  readonly cuts: number;
  /** Returns how many seconds the next cut lasts. */
  readonly seconds: () => number;
  readonly random: () => number;
  /** The tasks that run in the middle of a cut. The key is the number of the cut, from 1 on. */
  readonly whileCut: ReadonlyMap<number, readonly Task[]>;
  /** The tasks that run one second after a cut, while the station sends its waiting entries. The key is the number of the cut. */
  readonly afterwards: ReadonlyMap<number, Task>;
}

export class Shift {
  readonly station: Station;
  readonly network: Network;
  served = 0;
  cuts = 0;
  seconds = 0;
  #isOver = false;
  /** The number of families that have come to the station so far. The station serves no more families than have come. */
  #arrived = 0;
  #next: { readonly task: Task; readonly done: () => void; readonly failed: (error: unknown) => void } | null = null;

  constructor(station: Station, network: Network) {
    this.station = station;
    this.network = network;
  }

  async #doTask(): Promise<void> {
    const next = this.#next;
    this.#next = null;
    await next?.task().then(next.done, next.failed);
  }

  /** Runs the scheduled tasks until `isReached` returns true or the shift is over. */
  async #tasksUntil(isReached: () => boolean): Promise<void> {
    for (; !this.#isOver && !isReached(); await pause(100)) await this.#doTask();
  }

  /** Serves one family after the other until all cuts of the schedule are over. */
  async serve(orders: readonly number[]): Promise<void> {
    for (const orderId of orders) {
      await this.#tasksUntil(() => this.served < this.#arrived);
      if (this.#isOver) return;
      await this.station.serve(orderId);
      this.served += 1;
      await this.#doTask();
    }
    await this.#tasksUntil(() => false);
  }

  #between(task: Task): Promise<void> {
    return new Promise((done, failed) => {
      this.#next = { task, done, failed };
    });
  }

  async #cut(number: number, arriving: number, { seconds, whileCut, afterwards }: Schedule): Promise<void> {
    const length = seconds() * 1000;
    const began = performance.now();
    this.network.cut(number % 2 === 0 ? 'closed' : 'silent');
    this.#arrived += arriving;
    await pause(length / 2);
    for (const task of whileCut.get(number) ?? []) await this.#between(task);
    await pause(Math.max(0, length - (performance.now() - began)));
    this.network.restore();
    this.cuts += 1;
    this.seconds += (performance.now() - began) / 1000;
    await pause(1000);
    await afterwards.get(number)?.();
  }

  async run(orders: readonly number[], schedule: Schedule): Promise<void> {
    const working = this.serve(orders);
    const following = (async () => {
      // The families come at even intervals, half of them before a cut and half of them during it. A station that serves fast therefore
      // still has entries in each cut.
      const arriving = orders.length / schedule.cuts / 2;
      for (let number = 1; number <= schedule.cuts; number++) {
        this.#arrived += arriving;
        await pause(2000 + schedule.random() * 8000);
        await this.#cut(number, arriving, schedule);
      }
      this.#isOver = true;
    })();
    // An error in `working` or in `following` ends the test.
    await Promise.all([working, following]);
  }
}

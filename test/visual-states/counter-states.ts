// Lists the visual states of the pick-up counter screen (contract §14).
import type { Page } from '@playwright/test';
import { simulatedScale } from '../e2e/counter/simulated-scale.ts';
import { after, at, offline, press, reads, refused, saved, type, unanswered, waits, type Step } from './setup/steps.ts';
import type { VisualState, VisualStateData } from './setup/visual-state.ts';

const counter = ({ weighing }: VisualStateData): string => `/distributor/distribution/${weighing}/counter`;

/** Finds the family whose order is in this state, and opens it. */
const family =
  (state: keyof VisualStateData['orders']) =>
  async (page: Page, { orders }: VisualStateData): Promise<void> => {
    const search = page.getByRole('combobox', { name: 'Find a family' });
    await search.fill(`FD1:${orders[state]}`);
    await search.press('Enter');
    await page.getByRole('heading', { name: 'Money' }).waitFor();
  };

const writes = '**/api/order*/**';
const reading = '**/api/distributions/*/counter';
/** Lets every save wait forever for its response, so that entries stay unsent. */
const unsent: Step = async (page) =>
  await page.route(writes, (route) => (route.request().method() === 'GET' ? route.fallback() : undefined));
const noNetwork: Step = async (page, ids) => {
  await offline(page, ids);
  await reads(/The counter goes on/)(page, ids);
};

/** Replies in place of the server that other people have opened tills, and the user has none. */
const noTill: Step = async (page) =>
  await page.route(/\/api\/distributions\/\d+\/counter(\?.*)?$/, async (route) => {
    const response = await route.fetch();
    const state = (await response.json()) as { viewer: object };
    await route.fulfill({ response, json: { ...state, viewer: { ...state.viewer, needsTill: true } } });
  });

const firstOpenUnit = (page: Page) => page.getByRole('form', { name: 'Units to weigh' }).locator('input[value=""]').first();
const weigh =
  (weight: string): Step =>
  async (page) => {
    await firstOpenUnit(page).fill(weight);
    await page.keyboard.press('Enter');
  };
const payAndHandOver: Step = press(/^Pay \$[\d.,]+ in cash and hand over$/);
const method =
  (name: string): Step =>
  async (page) =>
    await page.getByLabel('Payment method').selectOption(name);

/** Simulates a camera that shows a plain bright picture, because Chromium has no camera in the tests. */
const camera: Step = async (page) =>
  await page.addInitScript(() => {
    navigator.mediaDevices.getUserMedia = async () => {
      const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 480 });
      const context = canvas.getContext('2d');
      Object.assign(context ?? {}, { fillStyle: '#b8b2a6' });
      context?.fillRect(0, 0, 640, 480);
      return canvas.captureStream(5);
    };
  });

/** Opens a family with a connected scale whose bytes cannot be read. */
const unreadableScale: VisualState['open'] = async (page, ids) => {
  const scale = await simulatedScale(page);
  const send: Step = async () => await scale.send('noise');
  await at(
    counter,
    family('unweighed'),
    press('Connect scale'),
    reads('Disconnect scale'),
    send,
    reads('The scale cannot be read'),
  )(page, ids);
};

const OVERTAKEN = 'Somebody else changed a weight meanwhile: Brisket, first cut 1/2 is 4.9 now.';
const PAID_ELSEWHERE = 'The payment is above the balance: $0.00.';

const DISTRIBUTOR: Record<string, VisualState['open']> = {
  counter: at(counter, reads(/picked up/)),
  'counter-loading': after(unanswered(reading), waits(counter)),
  'counter-failed': after(refused(reading), at(counter, reads('Oops'))),
  'counter-search': at(counter, type('Find a family', 'a'), reads(/^Order/)),
  'counter-no-match': at(counter, type('Find a family', 'zzz'), reads('No family with an order in this distribution matches.')),
  'counter-unweighed': at(counter, family('unweighed')),
  'counter-partly': at(counter, family('partly')),
  'counter-weighed': at(counter, family('weighed')),
  'counter-no-till': after(noTill, at(counter, family('weighed'), reads(/^You have no open till/))),
  'counter-open-till': after(noTill, at(counter, family('weighed'), press('Open my till'))),
  'counter-paid': at(counter, family('paid')),
  'counter-refund': at(counter, family('refund')),
  'counter-change': at(counter, family('weighed'), type('Cash given', '1000'), reads(/^Change \$/)),
  'counter-cash-missing': at(
    counter,
    family('weighed'),
    type('Cash given', '20'),
    // Playwright does not click a button that is shown as disabled.
    async (page) => await page.getByLabel('Cash given').press('Enter'),
    reads(/Take the rest, or lower the amount/),
  ),
  'counter-card': at(counter, family('weighed'), method('Credit Card'), reads(/card fee/i)),
  'counter-pay-faults': at(counter, family('weighed'), type('Amount', '999999'), payAndHandOver, reads(/above the balance/)),
  'counter-implausible': after(unsent, at(counter, family('unweighed'), weigh('50'), reads(/10 times the estimate/))),
  'counter-question': at(counter, family('unweighed'), press('Hand over'), reads(/not weighed/)),
  'counter-undo': after(unsent, at(counter, family('weighed'), payAndHandOver, reads(/handed over/))),
  'counter-give-change': after(
    unsent,
    at(counter, family('weighed'), type('Cash given', '1000'), payAndHandOver, reads('Change to give back')),
  ),
  'counter-picked-up': after(unsent, at(counter, family('weighed'), payAndHandOver, family('weighed'), reads(/^Picked up/))),
  'counter-queue': at(counter, press('Online')),
  'counter-offline': at(counter, family('weighed'), noNetwork),
  'counter-waiting': at(counter, family('weighed'), noNetwork, payAndHandOver, press(/waiting/), reads(/^2 waiting/)),
  'counter-sign-out': at(counter, family('weighed'), noNetwork, payAndHandOver, press('Logout'), reads(/not with the server yet/)),
  'counter-refused': after(saved(writes, 409, OVERTAKEN), at(counter, family('unweighed'), weigh('5'), reads('1 entry was refused'))),
  'counter-overtaken': after(
    saved(writes, 409, OVERTAKEN),
    at(counter, family('unweighed'), weigh('5'), press('Look at it'), reads(OVERTAKEN)),
  ),
  'counter-paid-twice': after(
    saved('**/payments', 409, PAID_ELSEWHERE),
    after(saved('**/picked-up', 204, ''), at(counter, family('weighed'), payAndHandOver, press('Look at it'), reads(PAID_ELSEWHERE))),
  ),
  'counter-give-back': after(
    saved('**/payments', 409, PAID_ELSEWHERE),
    at(counter, family('weighed'), press('Pay only'), press('Look at it'), press(/^Discard/), reads(/^Give /)),
  ),
  'counter-camera': after(camera, at(counter, press('Scan with camera'), reads(/^The family opens/))),
  'counter-camera-absent': at(counter, press('Scan with camera'), reads('The camera cannot be used')),
  'counter-scale-unreadable': unreadableScale,
  'counter-menu': at(counter, press('Tills and more'), reads('Control room')),
};

export const COUNTER_STATES: readonly VisualState[] = [
  ...Object.entries(DISTRIBUTOR).map(([name, open]) => ({ name, as: 'distributor', rows: 'few', open }) as const),
  { name: 'counter-many', as: 'distributor', rows: 'many', open: at(counter, type('Find a family', '1'), reads(/^Order/)) },
  {
    name: 'counter-agent',
    as: 'agent',
    rows: 'few',
    open: at(({ weighing }) => `/agent/distribution/${weighing}/counter`, family('weighed')),
  },
  {
    name: 'counter-rehearsal',
    as: 'agent',
    rows: 'few',
    open: at(({ rehearsal }) => `/agent/distribution/${rehearsal}/counter`, reads('8 of 40 picked up')),
  },
  { name: 'counter-closed', as: 'distributor', rows: 'few', open: at(({ draft }) => `/distributor/distribution/${draft}/counter`) },
];

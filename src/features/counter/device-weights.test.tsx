// Tests weights that a scanned label or a scale enters while a weight field of the counter contains a typed weight (contract §14).
import { createEvent, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { makeCustomer, makeProduct } from '../../../test/data/factories.ts';
import { makeOrder } from '../../../test/data/order-rows.ts';
import { eventually, setupCounter, shownToasts } from '../../../test/open-counter.tsx';
import { showScreen } from '../../../test/screen.tsx';
import { cents } from '../../domain/money.ts';
import { CounterPage } from './counter-page.tsx';

const { testApp, day } = setupCounter();
let order: Awaited<ReturnType<typeof makeOrder>>;

beforeEach(async () => {
  const weighed = { unit_price: cents(1000), unit_qty_is_estimate: true };
  const brisket = await makeProduct(testApp.db, day.distribution, { ...weighed, name: 'Brisket', product_code: 1001, unit_qty: 5 });
  const lamb = await makeProduct(testApp.db, day.distribution, { ...weighed, name: 'Lamb', product_code: 1002, unit_qty: 3 });
  const customer = await makeCustomer(testApp.db, day.distributor, { lastName: 'Becker' });
  order = await makeOrder(testApp.db, day.distribution, customer, [
    [brisket, 2],
    [lamb, 1],
  ]);
});

const field = (name: string) => screen.getByRole<HTMLInputElement>('spinbutton', { name });
/** The weights that the server has recorded, in the sequence of the fields. */
const recordedWeights = async (): Promise<string[]> =>
  (
    await testApp.db
      .selectFrom('actual_quantities')
      .select('actualQuantity')
      .where(
        'orderProductId',
        'in',
        order.lines.map(({ id }) => id),
      )
      .orderBy('orderProductId')
      .orderBy('sortOrder')
      .execute()
  ).map(({ actualQuantity }) => String(actualQuantity));
const messages = () => shownToasts().map(({ description }) => description);
const NOT_ENTERED = 'A weight is typed in this field, but not recorded yet. Press Enter to record it, or delete it, then weigh again.';
const UNSETTLED = 'The weight in this field is not recorded yet. Read the message below the field, then try again.';

/** Opens the family Becker, and types a weight into a field without Enter. */
async function typeWeight(text: string): Promise<void> {
  navigate(`/distributor/distribution/${day.distribution.id}/counter`);
  showScreen(await testApp.as(day.distributor), '/:role/distribution/:id/counter', CounterPage);
  const search = await screen.findByRole('combobox', { name: 'Find a family' });
  fireEvent.change(search, { target: { value: 'Becker' } });
  fireEvent.keyDown(search, { key: 'Enter' });
  await screen.findByRole('spinbutton', { name: 'Brisket 1/2' });
  field('Brisket 1/2').focus();
  fireEvent.change(field('Brisket 1/2'), { target: { value: text } });
}

const LAMB = '2001002003257';
const BRISKET = '2001001004873';
const FAR_TOO_HEAVY = '2001001090005';

/** Scans a label at the focused field. Without a prefix, the scanner types its digits into the field, which may replace a selected text. */
async function scan(label: string, isPrefixed: boolean): Promise<void> {
  const target = document.activeElement as HTMLInputElement;
  const start = performance.now();
  for (const [index, key] of [...(isPrefixed ? ['F8'] : []), ...label.split(''), 'Enter'].entries()) {
    const event = createEvent.keyDown(target, { key });
    Object.defineProperty(event, 'timeStamp', { value: start + index });
    const isTyped = fireEvent(target, event) && key !== 'Enter';
    if (isTyped) target.setRangeText(key, target.selectionStart ?? 0, target.selectionEnd ?? 0, 'end');
    if (isTyped) fireEvent.input(target);
  }
  // A code with a prefix ends a tenth of a second after Enter.
  await new Promise((resolve) => setTimeout(resolve, 200));
}

const scanners = [
  { scanner: 'with a prefix', isPrefixed: true },
  { scanner: 'without a prefix', isPrefixed: false },
];

test.each(scanners)(
  'the label of another product, scanned $scanner, does not replace a typed weight, which is recorded first (reliability abuse)',
  async ({ isPrefixed }) => {
    await typeWeight('4.1');
    await scan(LAMB, isPrefixed);
    expect([field('Brisket 1/2').value, field('Lamb 1/1').value]).toEqual(['4.1', '3.25']);
    await eventually(async () => expect(await recordedWeights()).toEqual(['4.1', '3.25']));
  },
);

test.each(scanners)(
  'a label of the same product, scanned $scanner, goes into the next unit after a typed weight (reliability abuse)',
  async ({ isPrefixed }) => {
    await typeWeight('4.1');
    await scan(BRISKET, isPrefixed);
    await eventually(async () => expect(await recordedWeights()).toEqual(['4.1', '4.87']));
    expect(document.activeElement).toBe(field('Lamb 1/1'));
  },
);

test.each(scanners)(
  'a label that is scanned $scanner into a field with an unusual weight is refused, and the field asks about its weight (reliability abuse)',
  async ({ isPrefixed }) => {
    await typeWeight('60');
    await scan(LAMB, isPrefixed);
    expect([field('Brisket 1/2').value, field('Lamb 1/1').value, document.activeElement]).toEqual(['60', '', field('Brisket 1/2')]);
    expect(screen.getByRole('alert').textContent).toMatch(/^60 lb is at least 10 times/);
    expect([messages(), await recordedWeights()]).toEqual([[UNSETTLED], []]);
  },
);

test.each(scanners)(
  'a label that raises a question is not replaced by the next label, scanned $scanner (reliability abuse)',
  async ({ isPrefixed }) => {
    await typeWeight('');
    await scan(FAR_TOO_HEAVY, isPrefixed);
    expect(screen.getByRole('alert').textContent).toMatch(/^90 lb is at least 10 times/);
    await scan(BRISKET, isPrefixed);
    expect([field('Brisket 1/2').value, field('Brisket 2/2').value, messages()]).toEqual(['90', '', [UNSETTLED]]);
    expect(screen.getByRole('alert').textContent).toMatch(/^90 lb is at least 10 times/);
  },
);

/** Connects a scale. Returns a function that places goods of this weight on it. */
async function connectScale(): Promise<(weight: string) => void> {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const readable = new ReadableStream<Uint8Array>({ start: (opened) => void (controller = opened) });
  const port = { open: async () => undefined, close: async () => undefined, readable };
  Object.defineProperty(navigator, 'serial', { value: { requestPort: async () => port }, configurable: true });
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'serial'));
  return (weight) => controller?.enqueue(new TextEncoder().encode(`ST,+${weight} lb\r\nST,+0000.00 lb\r\n`));
}

async function typeWeightBesideScale(text: string): Promise<(weight: string) => void> {
  const place = await connectScale();
  await typeWeight(text);
  fireEvent.click(screen.getByRole('button', { name: 'Connect scale' }));
  await screen.findByRole('button', { name: 'Disconnect scale' });
  return place;
}

test('a weight from the scale is refused while the focused field contains a weight that is not entered, because both may be of the same goods (reliability abuse)', async () => {
  const place = await typeWeightBesideScale('5.1');
  place('0005.12');
  await waitFor(() => expect(messages()).toEqual([NOT_ENTERED]));
  expect([field('Brisket 1/2').value, field('Brisket 2/2').value, await recordedWeights()]).toEqual(['5.1', '', []]);
  fireEvent.keyDown(field('Brisket 1/2'), { key: 'Enter' });
  place('0004.87');
  await eventually(async () => expect(await recordedWeights()).toEqual(['5.1', '4.87']));
});

test('a weight from the scale is refused while the focused field asks about its weight (reliability abuse)', async () => {
  const place = await typeWeightBesideScale('60');
  fireEvent.keyDown(field('Brisket 1/2'), { key: 'Enter' });
  place('0004.87');
  await waitFor(() => expect(messages()).toEqual([UNSETTLED]));
  expect([field('Brisket 1/2').value, field('Brisket 2/2').value, await recordedWeights()]).toEqual(['60', '', []]);
});

test('an unusual weight from the scale is asked about although the focused field has a note that its recorded weight stays (reliability abuse)', async () => {
  const place = await typeWeightBesideScale('5.1');
  fireEvent.keyDown(field('Brisket 1/2'), { key: 'Enter' });
  fireEvent.change(field('Brisket 1/2'), { target: { value: '' } });
  fireEvent.keyDown(field('Brisket 1/2'), { key: 'Enter' });
  field('Brisket 1/2').focus();
  place('0060.00');
  expect((await screen.findByRole('alert')).textContent).toMatch(/^60 lb is at least 10 times/);
  await eventually(async () => expect(await recordedWeights()).toEqual(['5.1']));
});

test('a weight from the scale while staff search a family is not dropped without a message (reliability abuse)', async () => {
  const place = await typeWeightBesideScale('');
  fireEvent.change(screen.getByRole('combobox', { name: 'Find a family' }), { target: { value: 'Abr' } });
  place('0004.87');
  await waitFor(() => expect(messages()).toEqual(['No family is open. Open the family first, then weigh again.']));
});

test('a weight from the scale while the question before a hand-over is open is refused, because the question names the units that are not weighed (reliability abuse)', async () => {
  const place = await typeWeightBesideScale('4.1');
  fireEvent.click(screen.getByRole('button', { name: 'Hand over' }));
  const question = await screen.findByRole('alertdialog');
  place('0004.87');
  await waitFor(() => expect(messages()).toEqual(['Answer or close the dialog first, then weigh again.']));
  fireEvent.click(within(question).getByRole('button', { name: 'Cancel' }));
  fireEvent.keyDown(field('Brisket 1/2'), { key: 'Enter' });
  place('0003.25');
  await eventually(async () => expect(await recordedWeights()).toEqual(['4.1', '3.25']));
});

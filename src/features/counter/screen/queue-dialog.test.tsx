import { render, screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { freshDevice } from '../../../../test/screen.tsx';
import type { CounterStore } from '../device/counter-store.ts';
import { QueueDialog } from './queue-dialog.tsx';

beforeEach(freshDevice);

const refused = (key: string, orderId: number, text: string) => ({
  key,
  orderId,
  text,
  status: 'refused',
  reason: 'This weight was recorded by the distributor.',
  write: { kind: 'weights' },
});
const VIEW = {
  writes: [refused('a', 5, 'Brisket 1/2: 4.5 lb'), refused('b', 6, 'Lamb 1/1: 8 lb')],
  othersUnsent: 0,
  orders: new Map([
    [5, { firstName: 'Rivka', lastName: 'Abramov', email: null }],
    [6, { firstName: 'Dov', lastName: 'Becker', email: null }],
  ]),
  snapshot: null,
};

test('each button of a refused entry has the family and the entry as its description (contract §14)', () => {
  const store = { subscribe: () => () => undefined, view: () => VIEW } as unknown as CounterStore;
  render(<QueueDialog open onClose={() => undefined} store={store} isReady onOpenFamily={() => undefined} />);
  const options = { description: 'Becker, Dov · Lamb 1/1: 8 lb', hidden: true };
  for (const name of ['Try again', 'Open the family', 'Discard…']) {
    expect(screen.getAllByRole('button', { name, hidden: true })).toHaveLength(2);
    expect(screen.getByRole('button', { name, ...options })).toBeTruthy();
  }
});

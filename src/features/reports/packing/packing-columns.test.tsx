import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { ReportRow } from '../contract.ts';
import { BY_CUSTOMER } from './packing-columns.tsx';

const HEAD: ReportRow = {
  email: 'rivka@mail.test',
  firstName: 'Rivka',
  lastName: 'Abramov',
  orderId: 5,
  productName: 'Brisket',
  productCategory: null,
  productCode: 101,
  quantity: 1,
};
const draw = (details: Partial<ReportRow>) => {
  const head = { ...HEAD, ...details };
  const cell = BY_CUSTOMER.find(({ id }) => id === 'customer')?.cell;
  return render(<>{cell?.({ key: 5, head, lines: [head], units: 1 } as never)}</>).container;
};

test('the packing list shows below the customer the pick-up time, and the note with its line breaks (contract §16)', () => {
  const slot = 'Morning, Sun, Apr 18, 9:00 AM';
  const cell = draw({ slot, note: 'No bones.\nRing twice.' });
  expect(cell.querySelector('b')?.textContent).toBe(`Pick-up: ${slot}`);
  expect(cell.querySelector('.whitespace-pre-line')?.textContent).toBe('No bones.\nRing twice.');
  expect(draw({}).querySelector('b, .whitespace-pre-line')).toBeNull();
});

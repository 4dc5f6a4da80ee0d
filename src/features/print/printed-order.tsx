import { useMemo, type ReactNode } from 'react';
import { withActuals } from '../../domain/weights/actuals.ts';
import { printRows, printTotals } from '../../domain/print.ts';
import { displayName } from '../../shared/person-name.ts';
import { pickUpTimeText } from '../../shared/pick-up-time.ts';
import type { PrintData } from './contract.ts';
import { Letterhead } from './letterhead.tsx';
import { PaperTitle } from './paper-title.tsx';
import { PrintedRow } from './printed-row.tsx';
import { PrintedSums } from './printed-sums.tsx';
import { CODE, EXT_PRICE, orderNumber, pickUpText, PRICE_EACH, PRODUCT, QUANTITY } from './texts.ts';

/** How many of the last rows stay on the same page as the totals (contract §7). */
const KEPT_ROWS = 2;

/** Shows the pick-up time and the note, if the order has them (contract §16). */
function OrderDetails({ order: { slot, note }, organization }: Pick<PrintData, 'order' | 'organization'>): ReactNode {
  if (slot === undefined && note === undefined) return null;
  return (
    <p className="mb-4 text-s">
      {slot && <b className="block font-semibold">{pickUpText(pickUpTimeText(slot, organization.timeZone))}</b>}
      {note !== undefined && <span className="block wrap-anywhere whitespace-pre-line">{note}</span>}
    </p>
  );
}

export function PrintedOrder({ print, heading = 'h1' }: { print: PrintData; heading?: 'h1' | 'h2' }): ReactNode {
  const { order, products, actuals, fees, payments, contact, distribution, organization } = print;
  const { rows, totals } = useMemo(() => {
    const lines = withActuals(products, actuals);
    return { rows: printRows(lines), totals: printTotals(lines, fees, payments) };
  }, [products, actuals, fees, payments]);
  const whose = displayName(contact);
  const drawn = rows.map((row, index) => <PrintedRow key={index} row={row} />);
  return (
    <article className="paper">
      <Letterhead organization={organization} contact={contact} order={order} />
      <OrderDetails order={order} organization={organization} />
      <table className="paper-table">
        <thead>
          <PaperTitle title={orderNumber(order.id)} heading={heading} person={whose} distribution={distribution} />
          <tr className="paper-columns">
            {[QUANTITY, CODE, PRODUCT, PRICE_EACH, EXT_PRICE].map((label) => (
              <th key={label} scope="col" className={label === PRODUCT ? 'w-full' : 'text-end'}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        {rows.length > KEPT_ROWS && <tbody>{drawn.slice(0, -KEPT_ROWS)}</tbody>}
        <tbody className="print-keep">
          {drawn.slice(-KEPT_ROWS)}
          <PrintedSums totals={totals} />
        </tbody>
      </table>
    </article>
  );
}

import type { ReactNode } from 'react';
import { dollars } from '../../domain/money.ts';
import type { PrintRow } from '../../domain/print.ts';
import { thousandths, weightOf, weightText } from '../../domain/weights/weight.ts';
import { CODE, EMPTY_BOX, foldedText, PRICE_EACH, QUANTITY, ROW_STATES } from './texts.ts';

/** A row of a printed order. On the screen of a phone it is a card with labeled values. */
export function PrintedRow({
  row: { quantity, state, unweighed, uom, product_code, name, nameDetail, price, extPrice },
}: {
  row: PrintRow;
}): ReactNode {
  return (
    <tr className="paper-row">
      <td data-label={QUANTITY} data-uom={uom || undefined} className="paper-quantity num text-end">
        {quantity === 0 ? <svg className="print-box" role="img" aria-label={EMPTY_BOX} /> : quantityText(quantity, uom !== undefined)}
      </td>
      <td data-label={CODE} className="num text-end">
        {product_code}
      </td>
      <td className="paper-name">
        {unweighed === undefined ? name : foldedText(name, unweighed)}
        {nameDetail && <span className="paper-detail">{nameDetail}</span>}
        {state && <span className="paper-state">{ROW_STATES[state]}</span>}
      </td>
      <td data-label={PRICE_EACH} className="num text-end">
        {dollars(price)}
      </td>
      <td className="paper-amount num text-end">{dollars(extPrice)}</td>
    </tr>
  );
}

const quantityText = (quantity: number, isWeight: boolean): string =>
  isWeight ? weightText(thousandths(weightOf(quantity))) : String(quantity);

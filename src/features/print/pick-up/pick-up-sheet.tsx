import type { ReactNode } from 'react';
import { QrCode } from '../../../client/ui/print/qr-code.tsx';
import { orderCode } from '../../../domain/counter/barcode.ts';
import { longDate } from '../../../shared/dates.ts';
import { pickUpTimeText } from '../../../shared/pick-up-time.ts';
import { RehearsalMark } from '../../rehearsals/rehearsal-mark.tsx';
import type { PrintData } from '../contract.ts';
import { CHECK_BOX, orderCodeText, pickUpText, unitBoxText } from '../texts.ts';
import { boxesOf, nameOf, productsOf } from './pick-up-orders.ts';

/**
 * Prints the pick-up sheet of one order: the distribution, a large order number, a box for each unit to weigh, and a checkbox for each
 * other line (contract §14).
 */
export function PickUpSheet({ print }: { print: PrintData }): ReactNode {
  const { order, contact, distribution, organization } = print;
  const ordered = productsOf(print);
  return (
    <section className="pick-up-sheet">
      <header>
        <p className="pick-up-number">{order.id}</p>
        <div className="grow">
          <p className="text-ink-soft">
            {distribution.name} · {longDate(distribution.date)}
          </p>
          <h2>
            {nameOf(print)}
            {distribution.rehearsal && <RehearsalMark />}
          </h2>
          {contact.phone !== null && <p dir="ltr">{contact.phone}</p>}
          {order.slot && <p className="font-semibold">{pickUpText(pickUpTimeText(order.slot, organization.timeZone))}</p>}
          {order.note !== undefined && <p className="wrap-anywhere whitespace-pre-line">{order.note}</p>}
        </div>
        <QrCode text={orderCode(order.id)} label={orderCodeText(order.id)} className="pick-up-code" />
      </header>
      <ul>
        {ordered.map((product) => (
          <Line key={product.orderProductId} product={product} />
        ))}
      </ul>
    </section>
  );
}

function Line({ product }: { product: PrintData['products'][number] }): ReactNode {
  const { product_code, name, nameDetail, quantity, unit_qty_is_estimate, uom } = product;
  const boxes = unit_qty_is_estimate ? Array.from({ length: boxesOf(product) }, (_, index) => index + 1) : [];
  return (
    <li>
      <span className="num pick-up-quantity">{quantity}</span>
      <span className="grow">
        <span className="num text-ink-soft">{product_code}</span> {name}
        {nameDetail && <span className="paper-detail">{nameDetail}</span>}
      </span>
      <span className="pick-up-boxes">
        {boxes.map((unit) => (
          <span key={unit} role="img" aria-label={unitBoxText(unit, quantity)} data-uom={uom} />
        ))}
        {!unit_qty_is_estimate && <span className="pick-up-tick" role="img" aria-label={CHECK_BOX} />}
      </span>
    </li>
  );
}

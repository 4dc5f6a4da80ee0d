import { useMemo, type ReactNode } from 'react';
import { QrCode } from '../../../client/ui/print/qr-code.tsx';
import { orderCode } from '../../../domain/counter/barcode.ts';
import { withDetail } from '../../../domain/product-names.ts';
import { pickUpTimeParts } from '../../../shared/pick-up-time.ts';
import type { PrintData } from '../contract.ts';
import { RehearsalMark } from '../../rehearsals/rehearsal-mark.tsx';
import { ofText, orderCodeText } from '../texts.ts';
import { nameOf, sheetsOf, unitsToWeigh, type UnitToWeigh } from './pick-up-orders.ts';

/**
 * The supported sheets of adhesive labels, by the manufacturer's number: Avery 5160 on Letter, L7160 on A4 (contract §14). Their sizes are
 * in print.css.
 */
export const LABEL_SHEETS = ['5160', 'L7160'] as const;
type LabelSheet = (typeof LABEL_SHEETS)[number];
const LABELS_ON: Readonly<Record<LabelSheet, number>> = { '5160': 30, L7160: 21 };

export const LABELS_PER = ['order', 'unit'] as const;
type LabelsPer = (typeof LABELS_PER)[number];

interface Label {
  readonly key: string;
  readonly print: PrintData;
  readonly unit: UnitToWeigh | null;
}

export const labelsOf = (prints: readonly PrintData[], per: LabelsPer): Label[] =>
  prints.flatMap((print): Label[] =>
    per === 'order'
      ? [{ key: String(print.order.id), print, unit: null }]
      : unitsToWeigh(print).map((unit) => ({ key: unit.key, print, unit })),
  );

export function LabelSheets({ labels, sheet }: { labels: readonly Label[]; sheet: LabelSheet }): ReactNode {
  const sheets = useMemo(() => sheetsOf(labels, LABELS_ON[sheet]), [labels, sheet]);
  return sheets.map((onSheet) => (
    <div key={onSheet[0]?.key} className={`labels labels-${sheet}`}>
      {onSheet.map((label) => (
        <OneLabel key={label.key} label={label} />
      ))}
    </div>
  ));
}

function OneLabel({ label: { print, unit } }: { label: Label }): ReactNode {
  const { order, organization } = print;
  const slot = order.slot && pickUpTimeParts(order.slot, organization.timeZone);
  return (
    <div className="label">
      <QrCode text={orderCode(order.id)} label={orderCodeText(order.id)} />
      <div>
        <p className="label-number">
          {order.id}
          {print.distribution.rehearsal && <RehearsalMark />}
        </p>
        <p className="label-name">{nameOf(print)}</p>
        {unit && (
          <p className="label-unit">
            <span>{withDetail(unit.product.name, unit.product.nameDetail)}</span> <b>{ofText(unit.number, unit.product.quantity)}</b>
          </p>
        )}
        {slot && (
          <p className="label-slot">
            <span>{slot.label}</span> {slot.time !== null && <b>{slot.time}</b>}
          </p>
        )}
      </div>
    </div>
  );
}

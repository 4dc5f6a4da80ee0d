import type { ReactNode } from 'react';
import { Button } from '../../client/ui/button.tsx';
import { keepText, staysText, UNREADABLE, unusualText, withUom } from './texts.ts';
import type { Remark } from './use-weighing.tsx';
import { quantityText, recordedText, type Unit } from './weights.tsx';

export interface UnitRemarkProps {
  id: string;
  unit: Unit;
  remark: Remark;
  /** What stands in the field, when it is a number. */
  weight: number | null;
  onAccept: () => void;
}

/** What a field says under itself: read with it, and aloud when it appears. */
export function UnitRemark({ id, unit, remark, weight, onAccept }: UnitRemarkProps): ReactNode {
  const { uom, unit_qty } = unit.product;
  if (remark === 'unreadable') {
    return (
      <p id={id} role="alert" className="mt-1.5 text-s font-semibold text-bad">
        {UNREADABLE}
      </p>
    );
  }
  if (remark === 'unusual' && weight !== null) {
    const text = withUom(quantityText(weight), uom);
    return (
      <div className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <p id={id} role="alert" className="text-s font-semibold text-wait">
          {unusualText(text, { estimate: withUom(unit_qty, uom), isMore: weight > unit_qty })}
        </p>
        <Button size="s" onClick={onAccept}>
          {keepText(text)}
        </Button>
      </div>
    );
  }
  if (remark === 'restored') {
    return (
      <output id={id} className="mt-1.5 block text-s text-ink-soft">
        {staysText(withUom(recordedText(unit), uom))}
      </output>
    );
  }
  return null;
}

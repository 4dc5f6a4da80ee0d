import type { ReactNode } from 'react';
import { Button } from '../../../client/ui/forms/button.tsx';
import { isFarOff } from '../../../domain/weights/plausibility.ts';
import { isWeightBarcode } from '../../../domain/counter/barcode.ts';
import { unreadableWeightReason } from '../../../domain/weights/weight.ts';
import {
  EMPTY,
  keepMineText,
  keepText,
  LOCKED,
  MISREAD_BARCODE,
  NOTHING_DELIVERED,
  overtakenText,
  SET_BACK,
  staffStaysText,
  staysText,
  takeTheirsText,
  notSavedText,
  replacedText,
  UNREADABLE,
  unlikeOthersText,
  unusualText,
  withUom,
  YES_NOTHING,
} from '../texts.ts';
import type { Remark } from './weighing-state.ts';
import { quantityText, recordedText, shownText, type Unit } from './weights.ts';

interface UnitRemarkProps {
  id: string;
  unit: Unit;
  remark: Remark;
  text: string | undefined;
  /** The weight typed in the field, or null if the text is not a number. */
  weight: number | null;
  before: string | undefined;
  replaced: string | undefined;
  isReadOnly: boolean;
  onAccept: () => void;
  /** Replaces the typed weight by the one that is recorded now. */
  onTakeTheirs: () => void;
  /** Sets the unit back to not weighed; null for users who may not do so. */
  onRemove: (() => void) | null;
}

/** Renders the remark below a field. Screen readers announce the remark when it appears, and read it again with the field. */
export function UnitRemark({
  id,
  unit,
  remark,
  text,
  weight,
  before = '',
  replaced = '',
  isReadOnly,
  onAccept,
  onTakeTheirs,
  onRemove,
}: UnitRemarkProps): ReactNode {
  const { uom } = unit.product;
  if (unit.isLocked) {
    const isInVain = text !== undefined && text.trim() !== '' && text !== recordedText(unit);
    return (
      <output id={id} className="mt-1.5 block text-s text-ink-soft">
        {isInVain ? notSavedText(text) : LOCKED}
      </output>
    );
  }
  if (remark === 'unreadable') {
    return (
      <p id={id} role="alert" className="mt-1.5 text-s font-semibold text-bad">
        {unreadableText(shownText(unit, text))}
      </p>
    );
  }
  if ((remark === 'unusual' || remark === 'overtaken') && weight !== null) {
    const asked = withUom(quantityText(weight), uom);
    const [was, now] = [before, recordedText(unit)].map((recorded) => (recorded === '' ? EMPTY : withUom(recorded, uom)));
    return (
      <div className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <p id={id} role="alert" className="text-s font-semibold text-wait">
          {remark === 'unusual' ? questionOf(weight, unit) : overtakenText(was ?? EMPTY, now ?? EMPTY)}
        </p>
        {!isReadOnly && (
          <Button size="s" onClick={onAccept}>
            {remark === 'overtaken' ? keepMineText(asked) : weight === 0 ? YES_NOTHING : keepText(asked)}
          </Button>
        )}
        {!isReadOnly && remark === 'overtaken' && (
          <Button size="s" variant="quiet" onClick={onTakeTheirs}>
            {takeTheirsText(now ?? EMPTY)}
          </Button>
        )}
      </div>
    );
  }
  if (remark === 'restored') {
    const stays = withUom(recordedText(unit), uom);
    return (
      <div className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <output id={id} className="block text-s text-ink-soft">
          {onRemove ? staffStaysText(stays) : staysText(stays)}
        </output>
        {onRemove && (
          <Button size="s" onClick={onRemove}>
            {SET_BACK}
          </Button>
        )}
      </div>
    );
  }
  if (remark === 'replaced') {
    return (
      <output id={id} className="mt-1.5 block text-s font-semibold text-wait">
        {replacedText(replaced)}
      </output>
    );
  }
  return null;
}

const unreadableText = (text: string): string => (isWeightBarcode(text) ? MISREAD_BARCODE : UNREADABLE[unreadableWeightReason(text)]);

function questionOf(weight: number, { product: { unit_qty, uom, usual } }: Unit): string {
  if (weight === 0) return NOTHING_DELIVERED;
  if (usual && !isFarOff(weight, unit_qty)) return unlikeOthersText(withUom(quantityText(weight), uom), usual);
  return unusualText({
    weight: withUom(quantityText(weight), uom),
    estimate: withUom(unit_qty, uom),
    isMore: weight > unit_qty,
    isFarOff: isFarOff(weight, unit_qty),
  });
}

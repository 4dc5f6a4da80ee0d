import { useCallback, useEffect, useRef, type Dispatch } from 'react';
import { parseUnitKey } from '../../../domain/weights/actuals.ts';
import { parseWeight, weightNumber } from '../../../domain/weights/weight.ts';
import { needsDecision, type TypedWeights, type WeighingAction } from '../../actuals/weighing/use-weighing.ts';
import { entryOf, hasConflict, typedOver, type TypedWeight, type Unit } from '../../actuals/weighing/weights.ts';
import type { Write } from '../device/writes.ts';

const recordedBefore = ({ before }: TypedWeight): number | null => {
  const weight = parseWeight(before);
  return weight === null ? null : weightNumber(weight);
};

type OnWeight = (write: Write, unit: Unit) => void;

/** Records each weight as soon as the user leaves its field, provided the weight is plausible or the user has confirmed it. */
export function useRecording(weights: TypedWeights, onWeight: OnWeight): Dispatch<WeighingAction> {
  const { typed, remarks, dispatch } = weights;
  // The latest values are kept in refs. One event can dispatch several actions before the next render, and each action must see the effect
  // of the previous one.
  const latest = useRef<Record<string, TypedWeight>>({});
  const asked = useRef(remarks);
  const record = useRef(onWeight);
  useEffect(() => {
    latest.current = { ...typed };
    asked.current = remarks;
    record.current = onWeight;
  });
  return useCallback(
    (action) => {
      dispatch(action);
      if (action.act === 'type') latest.current[action.unit.key] = typedOver(action.unit, action.text, latest.current[action.unit.key]);
      if (action.act === 'undo') delete latest.current[action.unit.key];
      if (action.act !== 'check' && action.act !== 'accept') return;
      for (const unit of action.act === 'check' ? action.units : [action.unit]) {
        const entered = latest.current[unit.key];
        const entry = entryOf(unit, entered?.text);
        const remark = asked.current.get(unit.key) ?? null;
        if (!entered || entry.kind !== 'weight') continue;
        const isOvertakenNow = hasConflict(unit, entered);
        // A weight can need two confirmations, one after the other: first that somebody else has recorded another weight ('overtaken'),
        // then that the weight is unusual.
        const accepts = action.act === 'accept' && (isOvertakenNow ? 'overtaken' : 'unusual');
        if (isOvertakenNow && accepts !== 'overtaken') continue;
        if (entry.isUnusual && accepts !== 'unusual' && (remark === null || needsDecision(remark))) continue;
        const parsed = parseUnitKey(unit.key);
        if (!parsed) continue;
        const was = isOvertakenNow ? (unit.recorded?.actualQuantity ?? null) : recordedBefore(entered);
        record.current({ kind: 'weight', ...parsed, weight: entry.actualQuantity, was, wasByCustomer: unit.isUnconfirmed }, unit);
        delete latest.current[unit.key];
        dispatch({ act: 'recorded', unit });
      }
    },
    [dispatch],
  );
}

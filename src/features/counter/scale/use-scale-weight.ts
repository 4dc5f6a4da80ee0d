import { useEffect, useEffectEvent, type RefObject } from 'react';
import { toast } from '../../../client/toasts/toast.ts';
import { weightInUnit, type ScaleReading } from '../../../domain/counter/scale-line.ts';
import type { TypedWeights } from '../../actuals/weighing/use-weighing.ts';
import { isEmpty, openFieldsOf } from '../../actuals/weighing/field-keyboard-nav.ts';
import { enterWeight } from '../../actuals/weighing/use-scan.ts';
import type { Units } from '../../actuals/weighing/weights.ts';
import { NOTHING_TO_FILL, otherUnitText, WEIGHT_NOT_TAKEN } from '../texts.ts';

/**
 * Calls the listener with each weight from the scale. Returns a function that ends the subscription. The scale stays connected when the
 * user goes on to the next family.
 */
export type OnScaleWeight = (listener: (reading: ScaleReading) => void) => () => void;

/** Enters each weight from the scale into the focused weight field, or into the first empty field (contract §14). */
export function useScaleWeight(
  onScaleWeight: OnScaleWeight,
  form: RefObject<HTMLFormElement | null>,
  units: Units,
  weights: Pick<TypedWeights, 'dispatch'>,
): void {
  const take = useEffectEvent((reading: ScaleReading) => {
    const fields = openFieldsOf(form.current);
    const field = fields.find((each) => each === document.activeElement) ?? fields.find(isEmpty);
    const unit = field && units.find(field.id);
    const weight = unit && weightInUnit(reading, unit.product.uom);
    const refuse = (description: string): void =>
      void toast({ title: WEIGHT_NOT_TAKEN, description, variant: 'destructive', actionKey: WEIGHT_NOT_TAKEN });
    if (!unit) refuse(NOTHING_TO_FILL);
    else if (weight === null || weight === undefined) refuse(otherUnitText(reading.unit, unit.product.uom));
    else enterWeight(weights, unit, weight, () => document.getElementById(unit.key)?.focus());
  });
  useEffect(() => onScaleWeight((reading) => take(reading)), [onScaleWeight]);
}

import { useEffect, useEffectEvent, type RefObject } from 'react';
import { openDialog } from '../../../client/focus/open-dialog.ts';
import { toast } from '../../../client/toasts/toast.ts';
import { weightInUnit, type ScaleReading } from '../../../domain/counter/scale-line.ts';
import type { TypedWeights } from '../../actuals/weighing/use-weighing.ts';
import { asksAboutWeight, isEmpty, openFieldsOf } from '../../actuals/weighing/field-keyboard-nav.ts';
import { enterWeight } from '../../actuals/weighing/use-scan.ts';
import { entryOf, type Units } from '../../actuals/weighing/weights.ts';
import { UNSETTLED } from '../texts.ts';
import { DIALOG_FIRST, NOT_ENTERED, NOTHING_TO_FILL, otherUnitText, WEIGHT_NOT_TAKEN } from './texts.ts';

/**
 * Calls the listener with each weight from the scale. Returns a function that ends the subscription. The scale stays connected when the
 * user goes on to the next family.
 */
export type OnScaleWeight = (listener: (reading: ScaleReading) => void) => () => void;

export const refuseWeight = (description: string): void =>
  void toast({ title: WEIGHT_NOT_TAKEN, description, variant: 'destructive', actionKey: WEIGHT_NOT_TAKEN });

/**
 * Enters each weight from the scale into the focused weight field, or into the first empty field (contract §14). If staff have typed a weight
 * into the focused field, but not entered it, the weight from the scale is refused: staff may have typed the weight of the same goods while
 * the scale settled. While a dialog is open, no weight is entered: the question before a hand-over names the units that are not weighed, and
 * nobody would see the weight behind a dialog.
 */
export function useScaleWeight(
  onScaleWeight: OnScaleWeight,
  form: RefObject<HTMLFormElement | null>,
  units: Units,
  weights: Pick<TypedWeights, 'typed' | 'dispatch'>,
): void {
  const focused = (): HTMLInputElement | undefined => openFieldsOf(form.current).find((field) => field === document.activeElement);
  const isTyped = ({ id }: HTMLInputElement): boolean => {
    const unit = units.find(id);
    return unit !== null && entryOf(unit, weights.typed[id]?.text).kind !== 'same';
  };
  const take = useEffectEvent((reading: ScaleReading) => {
    if (openDialog() !== null) return refuseWeight(DIALOG_FIRST);
    const before = focused();
    if (before && isTyped(before)) return refuseWeight(asksAboutWeight(before) ? UNSETTLED : NOT_ENTERED);
    const field = before ?? openFieldsOf(form.current).find(isEmpty);
    const unit = field && units.find(field.id);
    const weight = unit && weightInUnit(reading, unit.product.uom);
    if (!unit) refuseWeight(NOTHING_TO_FILL);
    else if (weight === null || weight === undefined) refuseWeight(otherUnitText(reading.unit, unit.product.uom));
    else enterWeight(weights, unit, weight, () => document.getElementById(unit.key)?.focus());
  });
  useEffect(() => onScaleWeight((reading) => take(reading)), [onScaleWeight]);
}

import type { KeyboardEvent } from 'react';
import { flushSync } from 'react-dom';
import { toast } from '../../../client/toasts/toast.ts';
import { isImplausible } from '../../../domain/weights/plausibility.ts';
import { parseWeightBarcode } from '../../../domain/counter/barcode.ts';
import { weightNumber, weightText, type Thousandths } from '../../../domain/weights/weight.ts';
import { allWeighedText, noSuchProductText, NOT_SCANNED } from '../texts.ts';
import { focusNextEmptyField } from './field-keyboard-nav.ts';
import type { TypedWeights } from './use-weighing.ts';
import { nextOpenUnit, type Unit, type Units } from './weights.ts';

/**
 * Enters a weight from a scanner or scale into a field, as if the user had typed the weight. Then focuses the next empty field, unless the
 * user must confirm the weight.
 */
export function enterWeight(
  { dispatch }: Pick<TypedWeights, 'dispatch'>,
  unit: Unit,
  weight: Thousandths,
  show: (unit: Unit) => void,
): void {
  flushSync(() => {
    dispatch({ act: 'type', unit, text: weightText(weight) });
    dispatch({ act: 'check', units: [unit] });
  });
  show(unit);
  const field = document.getElementById(unit.key);
  if (field instanceof HTMLInputElement && !isImplausible(weightNumber(weight), unit.product)) focusNextEmptyField(field);
}

/**
 * Returns a listener for the keys in the form of the weight fields. When a scanner has typed a barcode into a field and presses Enter, the
 * listener enters the weight for the next unweighed unit of the barcode's product (contract §14). While Enter is held down, its repeated
 * events must neither answer a question nor submit the form.
 */
export function useScan(
  units: Units,
  { typed, dispatch }: Pick<TypedWeights, 'typed' | 'dispatch'>,
  show: (unit: Unit) => void,
): (event: KeyboardEvent) => void {
  /** Returns false if the field contains no weight barcode. */
  const enterBarcode = (field: HTMLInputElement): boolean => {
    const scanned = parseWeightBarcode(field.value);
    const scannedAt = units.find(field.id);
    if (!scanned || !scannedAt) return false;
    const { open, product } = nextOpenUnit(units, typed, { productCode: scanned.productCode, from: scannedAt });
    flushSync(() => dispatch({ act: 'undo', unit: scannedAt }));
    if (!open) {
      const description = product ? allWeighedText(product.name) : noSuchProductText(scanned.productCode);
      toast({ title: NOT_SCANNED, description, variant: 'destructive' });
      field.select();
      return true;
    }
    enterWeight({ dispatch }, open, scanned.weight, show);
    return true;
  };
  return (event) => {
    const { key, repeat, target } = event;
    if (key !== 'Enter') return;
    const isField = target instanceof HTMLInputElement && !target.readOnly;
    if (!(isField && enterBarcode(target)) && !repeat) return;
    event.preventDefault();
    event.stopPropagation();
  };
}

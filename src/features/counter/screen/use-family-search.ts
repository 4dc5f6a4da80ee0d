import { useMemo, useState } from 'react';
import { findFamilies, pickedUpIn, type Family } from './find-families.ts';

const MAX_SHOWN = 8;

/**
 * The search for a family at the counter. While the text stays the same, the found families keep their places when another station hands
 * over one of them, and the chosen family stays chosen.
 */
export function useFamilySearch(families: readonly Family[], text: string, onText: (text: string) => void) {
  /** The order that the user has chosen with the arrow keys. Until then, it is the first one that was found when the text was typed. */
  const [chosenId, setChosenId] = useState<number | null>(null);
  /** The orders that were picked up when the user typed the text. */
  const [pickedUp, setPickedUp] = useState<ReadonlySet<number>>();
  const { found, more } = useMemo(() => findFamilies(families, text, MAX_SHOWN, pickedUp), [families, text, pickedUp]);
  const chosen = found.find(({ order }) => order.id === chosenId) ?? found[0];
  const type = (value: string): void => {
    const pickedUpNow = pickedUpIn(families);
    onText(value);
    setPickedUp(pickedUpNow);
    setChosenId(findFamilies(families, value, 1, pickedUpNow).found[0]?.order.id ?? null);
  };
  /** Chooses the next family (1) or the previous one (-1). */
  const move = (step: number): void => {
    if (chosen) setChosenId(found.at((found.indexOf(chosen) + step) % found.length)?.order.id ?? null);
  };
  return { type, found, more, chosen: chosen?.order.id, move };
}

import { useMemo, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { useUnread } from '../../../client/hooks/use-unread.ts';
import { toast } from '../../../client/toasts/toast.ts';
import { codeAtEnd, parseOrderCode } from '../../../domain/counter/barcode.ts';
import { NOT_SCANNED } from '../../actuals/texts.ts';
import {
  COUNTER,
  IS_THIS_A_WEIGHT,
  IS_THIS_AN_AMOUNT,
  LOST_WEIGHT,
  openByNumberText,
  TYPED_BEHIND_WEIGHT,
  TYPED_ELSEWHERE,
  TYPED_IN_A_DIALOG,
} from '../texts.ts';
import { findFamilies, isAmount, isWeight, servedIn, type Family } from './find-families.ts';

const MAX_SHOWN = 8;

export const refuse = (description: string): void =>
  void toast({ title: NOT_SCANNED, description, variant: 'destructive', actionKey: COUNTER });

interface FamilySearch {
  readonly search: RefObject<HTMLInputElement | null>;
  readonly families: readonly Family[];
  readonly openOrder: number | null;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onOpen: (orderId: number) => void;
}

/**
 * The search for a family at the counter. While the text stays the same, the found families keep their places when another station hands
 * over one of them, and the chosen family stays chosen. After Enter, a text that has opened no family is selected, so that the next text
 * replaces it.
 */
export function useFamilySearch({ search, families, openOrder, text, onText, onOpen }: FamilySearch) {
  /** The order that the user has chosen with the arrow keys. Until then, it is the first one that was found when the text was typed. */
  const [chosenId, setChosenId] = useState<number | null>(null);
  /** The orders that were picked up or open when the user typed the text. */
  const [served, setServed] = useState<ReadonlySet<number>>();
  const { found, more } = useMemo(() => findFamilies(families, text, MAX_SHOWN, served), [families, text, served]);
  const chosen = (found.find(({ order }) => order.id === chosenId) ?? found[0])?.order.id;
  const type = (value: string): void => {
    const servedNow = servedIn(families, openOrder);
    onText(value);
    setServed(servedNow);
    setChosenId(findFamilies(families, value, 1, servedNow).found[0]?.order.id ?? null);
  };
  const typeAndSelect = (value: string): void => {
    flushSync(() => type(value));
    search.current?.select();
  };

  /** The order that was found by a number that looks like a weight or an amount. If the next key is Enter, it opens the order. */
  const asked = useRef<number>(undefined);
  const { isUnread, setUnread } = useUnread();
  const enter = (): void => {
    // A scanner appends its code to a text that is already in the field.
    const code = codeAtEnd(text.trim());
    const scanned = parseOrderCode(code);
    const isFound = chosen !== undefined && (text.trim() === String(chosen) || !isWeight(text));
    // A weight and an amount may be meant for the open family.
    const isUnsure = openOrder !== null && isAmount(text) && asked.current !== chosen;
    search.current?.select();
    if (scanned !== null) onOpen(scanned);
    else if (code !== '') {
      typeAndSelect(text.trim().slice(0, -code.length));
      refuse(LOST_WEIGHT);
    } else if (isFound && isUnsure) {
      asked.current = chosen;
      setUnread();
      refuse(openByNumberText(found.find(({ order }) => order.id === chosen)?.name ?? ''));
    } else if (isFound) onOpen(chosen);
    else if (isAmount(text)) refuse(IS_THIS_A_WEIGHT);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || isUnread(event.timeStamp)) asked.current = undefined;
    // Without preventDefault, the press of Enter that moves the focus to a button would also press that button.
    if (event.key === 'Enter') event.preventDefault();
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const from = found.findIndex(({ order }) => order.id === chosen);
    if (step === undefined || from === -1) return;
    event.preventDefault();
    setChosenId(found.at((from + step) % found.length)?.order.id ?? null);
  };
  /** Takes over a text that was typed elsewhere. The search has the focus, unless a dialog keeps it. */
  const takeTyped = (typed: string, isBehindWeight: boolean): void => {
    if (document.activeElement !== search.current) return refuse(TYPED_IN_A_DIALOG);
    if (isAmount(typed)) return refuse(IS_THIS_AN_AMOUNT);
    typeAndSelect(typed);
    if (isBehindWeight) toast({ ...TYPED_BEHIND_WEIGHT, variant: 'destructive', actionKey: COUNTER });
    else refuse(TYPED_ELSEWHERE);
  };
  return { type, enter, onKeyDown, takeTyped, found, more, chosen };
}

import { useEffect, useRef, useState, type ChangeEvent } from 'react';
import { isWeightBarcode } from '../../../domain/counter/barcode.ts';
import type { Remark } from './use-weighing.ts';

export interface RefusedTyping {
  /** Whether the message about refused typing is shown. */
  readonly isShown: boolean;
  /** Whether a text was refused of which Enter or Tab is still to come. This key then does not answer the question. */
  readonly isTyping: boolean;
  /** Returns whether the change of the field is refused. The field then contains the weight in question again. */
  readonly refuse: (event: ChangeEvent<HTMLInputElement>) => boolean;
  /** Called after Enter or Tab at the end of a refused text. */
  readonly end: () => void;
  /** Called when the user moves the caret, so that what they type next corrects the weight. */
  readonly correct: () => void;
  /** Called when the field gets or loses the focus. */
  readonly reset: () => void;
}

/**
 * Refuses what is typed over a weight that is not recorded yet, because the field asks about it. What is typed is probably the weight of the
 * next unit: staff look at the scale while they type, and a scale may type like a keyboard. Otherwise the weight in question would be lost
 * without a message, and all later weights would reach the wrong units. The user can correct the weight after deleting a part of it, or
 * after a click or a key that moves the caret. `shown` is the text of the field.
 */
export function useRefusedTyping(remark: Remark, shown: string): RefusedTyping {
  const [refused, setRefused] = useState<'typing' | 'ended' | null>(null);
  const isCorrecting = useRef(false);
  // The remark 'overtaken' appears while the user types a weight, the rest of which is not refused. A label that was not read correctly is
  // replaced by the next scan.
  const asks = (remark === 'unusual' || remark === 'unreadable') && !isWeightBarcode(shown);
  useEffect(() => {
    isCorrecting.current = false;
  }, [asks]);
  return {
    isShown: asks && refused !== null,
    isTyping: asks && refused === 'typing',
    refuse: ({ target, nativeEvent }) => {
      const isDeletion = target.value === '' || ('inputType' in nativeEvent && String(nativeEvent.inputType).startsWith('delete'));
      const isRefused = asks && !isCorrecting.current && !isDeletion;
      setRefused(isRefused ? 'typing' : null);
      if (!isRefused) return false;
      target.value = shown;
      target.select();
      return true;
    },
    end: () => setRefused('ended'),
    correct: () => {
      isCorrecting.current = true;
    },
    reset: () => {
      isCorrecting.current = false;
      setRefused(null);
    },
  };
}

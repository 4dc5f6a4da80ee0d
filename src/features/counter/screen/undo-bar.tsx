import clsx from 'clsx';
import { Check, Undo2 } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react';
import { openDialog } from '../../../client/focus/open-dialog.ts';
import { Button } from '../../../client/ui/forms/button.tsx';
import { UNDO_FOR, type Step } from '../device/counter-view.ts';
import { secondsText, stepOf } from '../texts.ts';

interface UndoBarProps {
  step: Step | null;
  /** Whether the step's payment was refused. The step is then not named, because it would look as if the payment were recorded. */
  isRefused: boolean;
  /** The opened order; null if none is open. */
  opened: { readonly id: number; readonly family: string } | null;
  undoLabel: string;
  /** `isFocusLost` is true if the Undo button had the focus. The button disappears, so the focus must move. */
  onUndo: (isFocusLost: boolean) => void;
}

/**
 * Shows the name of the opened family, and the last step with an Undo button for 30 seconds (contract §14). While no family is open, the row
 * of the step stays on a phone after the 30 seconds, and when the step's payment is refused, because the found families below it must not move.
 */
export function UndoBar({ step, isRefused, opened, undoLabel, onUndo }: UndoBarProps): ReactNode {
  const [now, setNow] = useState(0);
  const bar = useRef<HTMLDivElement>(null);
  const undo = (): void => {
    const { activeElement } = document;
    // Not every browser focuses a button that is clicked.
    onUndo(activeElement === document.body || bar.current?.contains(activeElement) === true);
  };
  useEffect(() => {
    if (!step) return;
    const ticking = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(ticking);
  }, [step]);
  const left = step ? Math.max(0, Math.ceil((step.until - Math.max(now, step.until - UNDO_FOR)) / 1000)) : 0;
  const isShown = step !== null && !isRefused && left > 0;
  const isNamed = isShown || (step !== null && !isRefused && opened === null);
  useUndoKey((target) => {
    // The fields of the open family are in forms, and the search is in none.
    const isInFamily = target instanceof Element && target.closest('form') !== null;
    const isOfOther = opened !== null && step?.orderId !== opened.id;
    // A dialog covers the bar that names the step.
    if (!isShown || (isInFamily && isOfOther) || openDialog() !== null) return false;
    undo();
    return true;
  });
  return (
    <div
      ref={bar}
      data-family={opened?.family}
      className={clsx('flex min-w-0 items-center gap-x-3', opened ? 'grow' : step && 'max-md:min-h-11 max-md:basis-full')}
    >
      <div className="min-w-0 grow leading-tight md:grow-0 md:ps-1.5 lg:flex lg:items-center lg:gap-x-3">
        {opened && <p className="max-w-full truncate font-semibold lg:max-w-80 lg:shrink-0">{opened.family}</p>}
        <output className={clsx('flex min-w-0 items-center gap-1.5 text-good', opened ? 'text-xs lg:text-s' : 'text-s leading-tight')}>
          {isNamed && (
            <>
              <Check className="size-4 shrink-0" aria-hidden />
              <span className={opened ? 'truncate' : 'clip-anywhere'}>
                {step.orderId === opened?.id ? step.what : stepOf(step.family, step.what)}
              </span>
            </>
          )}
        </output>
      </div>
      {isNamed && (
        <Button
          size="s"
          icon={<Undo2 aria-hidden />}
          onClick={undo}
          aria-keyshortcuts="Control+Z"
          // The hidden button keeps its space.
          style={{ visibility: isShown ? 'visible' : 'hidden' }}
        >
          <span className={clsx(opened && 'max-[22rem]:sr-only')}>{undoLabel}</span>
          <span className={clsx('num font-normal text-ink-soft', opened && 'max-md:hidden')} aria-hidden>
            {secondsText(left)}
          </span>
        </Button>
      )}
    </div>
  );
}

/**
 * Calls `undo` with the focused element when the user presses Ctrl+Z, unless this key undoes the user's own typing there: in a field that is
 * not empty, or that has received input since it got the focus. `undo` returns whether there was a step to undo.
 */
function useUndoKey(undo: (target: EventTarget | null) => boolean): void {
  const edited = useRef<EventTarget>(null);
  const press = useEffectEvent((event: KeyboardEvent): void => {
    const { target, key, repeat } = event;
    if (key !== 'z' || !(event.ctrlKey || event.metaKey) || event.shiftKey || repeat) return;
    const isTyping = target === edited.current || (target instanceof HTMLInputElement && target.value !== '');
    if (!isTyping && undo(target)) event.preventDefault();
  });
  useEffect(() => {
    const listening = new AbortController();
    const options = { signal: listening.signal };
    document.addEventListener('keydown', (event) => press(event), options);
    document.addEventListener('input', ({ target }) => (edited.current = target), options);
    document.addEventListener('focusin', () => (edited.current = null), options);
    return () => listening.abort();
  }, []);
}

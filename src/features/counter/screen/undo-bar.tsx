import clsx from 'clsx';
import { Check, Undo2 } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react';
import { Button } from '../../../client/ui/forms/button.tsx';
import { UNDO_FOR, type Step } from '../device/counter-view.ts';
import { secondsText, stepOf } from '../texts.ts';

interface UndoBarProps {
  step: Step | null;
  /** The opened order; null if none is open. */
  opened: { readonly id: number; readonly family: string } | null;
  undoLabel: string;
  /** `isFocusLost` is true if the Undo button had the focus. The button disappears, so the focus must move. */
  onUndo: (isFocusLost: boolean) => void;
}

/** Shows the name of the opened family, and the last step with an Undo button for 30 seconds (contract §14). */
export function UndoBar({ step, opened, undoLabel, onUndo }: UndoBarProps): ReactNode {
  const [now, setNow] = useState(0);
  const bar = useRef<HTMLDivElement>(null);
  const undo = (): void => {
    const { activeElement } = document;
    // Not every browser focuses a button that is clicked.
    onUndo(activeElement === document.body || bar.current?.contains(activeElement) === true);
  };
  const undoByKey = useEffectEvent(undo);
  useEffect(() => {
    if (!step) return;
    const ticking = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(ticking);
  }, [step]);
  const left = step ? Math.ceil((step.until - Math.max(now, step.until - UNDO_FOR)) / 1000) : 0;
  const isShown = step !== null && left > 0;
  useEffect(() => {
    if (!isShown) return;
    const press = (event: KeyboardEvent): void => {
      const isTyping = event.target instanceof HTMLInputElement && event.target.value !== '';
      if (event.key !== 'z' || !(event.ctrlKey || event.metaKey) || event.shiftKey || isTyping) return;
      event.preventDefault();
      undoByKey();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [isShown]);
  return (
    <div
      ref={bar}
      data-family={opened?.family}
      className={clsx('flex min-w-0 items-center gap-x-3', opened ? 'grow' : isShown && 'max-md:basis-full')}
    >
      <div className="min-w-0 grow leading-tight md:grow-0 md:ps-1.5 lg:flex lg:items-center lg:gap-x-3">
        {opened && <p className="max-w-full truncate font-semibold lg:max-w-80 lg:shrink-0">{opened.family}</p>}
        <output className={clsx('flex min-w-0 items-center gap-1.5 text-good', opened ? 'text-xs lg:text-s' : 'text-s')}>
          {isShown && (
            <>
              <Check className="size-4 shrink-0" aria-hidden />
              <span className={opened ? 'truncate' : 'clip-anywhere'}>
                {step.orderId === opened?.id ? step.what : stepOf(step.family, step.what)}
              </span>
            </>
          )}
        </output>
      </div>
      {isShown && (
        <Button size="s" icon={<Undo2 aria-hidden />} onClick={undo} aria-keyshortcuts="Control+Z">
          <span className={clsx(opened && 'max-[22rem]:sr-only')}>{undoLabel}</span>
          <span className={clsx('num font-normal text-ink-soft', opened && 'max-md:hidden')} aria-hidden>
            {secondsText(left)}
          </span>
        </Button>
      )}
    </div>
  );
}

import clsx from 'clsx';
import { Check, Undo2 } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react';
import { Button } from '../../../client/ui/forms/button.tsx';
import { UNDO_FOR, type Step } from '../device/counter-view.ts';
import { secondsText } from '../texts.ts';

interface UndoBarProps {
  step: Step | null;
  undoLabel: string;
  onUndo: () => void;
  /** Called when the Undo button, which disappears, had the focus. */
  onFocusLost: () => void;
}

/** Shows the last step with an Undo button for 30 seconds (contract §14). */
export function UndoBar({ step, undoLabel, onUndo, onFocusLost }: UndoBarProps): ReactNode {
  const [now, setNow] = useState(0);
  const bar = useRef<HTMLDivElement>(null);
  const undo = (): void => {
    const { activeElement } = document;
    // Not every browser focuses a button that is clicked.
    const isLost = activeElement === document.body || bar.current?.contains(activeElement) === true;
    onUndo();
    if (isLost) onFocusLost();
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
    <div ref={bar} className={clsx('flex flex-wrap items-center gap-x-3 gap-y-1 text-s', !isShown && '-mb-4')}>
      <output className="inline-flex items-center gap-2 text-good">
        {isShown && (
          <>
            <Check className="size-4 shrink-0" aria-hidden />
            {step.label}
          </>
        )}
      </output>
      {isShown && (
        <Button size="s" icon={<Undo2 aria-hidden />} onClick={undo} aria-keyshortcuts="Control+Z">
          {undoLabel}
          <span className="num font-normal text-ink-soft" aria-hidden>
            {secondsText(left)}
          </span>
        </Button>
      )}
    </div>
  );
}

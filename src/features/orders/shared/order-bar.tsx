import clsx from 'clsx';
import { ChevronUp } from 'lucide-react';
import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { useSearch } from 'wouter';
import { useDismissOnFocusOut } from '../../../client/focus/use-dismiss-on-focus-out.ts';
import { dollars } from '../../../domain/money.ts';
import { OrderSums, type OrderSumsProps } from './order-sums.tsx';
import { ESTIMATED, FEES_INCLUDED, itemsText, TOTAL, YOUR_ORDER } from '../texts.ts';

interface OrderBarProps extends OrderSumsProps {
  items: number;
  hasEstimates: boolean;
  save: ReactNode;
}

/**
 * A bar for screens on which the sums do not fit beside the products. It always shows the total, the number of items and the save button. A
 * tap on the total shows the subtotal and the fees (contract §10). The save button hides them, because they may cover what is missing.
 */
export function OrderBar({ items, hasEstimates, save, fees, totals }: OrderBarProps): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  const sums = useId();
  const popup = useRef<HTMLDivElement>(null);
  const toggle = useRef<HTMLButtonElement>(null);
  // When the user chooses another category, the URL changes. The list of sums then closes.
  const address = useSearch();
  const [openedAt, setOpenedAt] = useState(address);
  if (openedAt !== address) {
    setOpenedAt(address);
    setIsOpen(false);
  }
  useEffect(() => {
    if (!isOpen) return undefined;
    const press = ({ key }: KeyboardEvent): void => void (key === 'Escape' && setIsOpen(false));
    const isInside = ({ target }: Event): boolean => [popup, toggle].some(({ current }) => current?.contains(target as Node));
    const touch = (event: Event): void => void (!isInside(event) && setIsOpen(false));
    document.addEventListener('keydown', press);
    document.addEventListener('pointerdown', touch);
    return () => {
      document.removeEventListener('keydown', press);
      document.removeEventListener('pointerdown', touch);
    };
  }, [isOpen]);
  useDismissOnFocusOut(isOpen, [popup, toggle], () => setIsOpen(false));
  const facts = [itemsText(items), fees.length > 0 && items > 0 && FEES_INCLUDED, hasEstimates && ESTIMATED];
  return (
    <section aria-label={YOUR_ORDER} className="fixed inset-x-0 bottom-0 z-20 border-t border-line bg-card shadow-bar">
      {isOpen && (
        <div ref={popup} id={sums} className="page max-h-[60dvh] animate-rise overflow-y-auto border-b border-line py-4">
          <OrderSums fees={fees} totals={totals} />
        </div>
      )}
      <div className="page flex items-center justify-between gap-4 pt-2 pb-[max(0.75rem,env(safe-area-inset-bottom))]">
        <button
          ref={toggle}
          type="button"
          aria-expanded={isOpen}
          aria-controls={sums}
          onClick={() => setIsOpen(!isOpen)}
          className="min-h-12 min-w-0 grow rounded-ctl text-start"
        >
          <span className="flex items-center gap-1.5">
            <span className="sr-only">{TOTAL} </span>
            <span className="figure text-[1.625rem] leading-tight">{dollars(totals.total)}</span>
            <ChevronUp className={clsx('size-4 shrink-0 text-ink-soft transition-transform', isOpen && 'rotate-180')} aria-hidden />
          </span>
          <span className="block text-xs text-ink-soft">{facts.filter(Boolean).join(' · ')}</span>
        </button>
        {save}
      </div>
    </section>
  );
}

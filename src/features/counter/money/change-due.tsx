import clsx from 'clsx';
import type { ReactNode } from 'react';
import { dollars } from '../../../domain/money.ts';
import type { ChangeDue } from '../device/counter-view.ts';
import { CHANGE_TO_GIVE_BACK } from '../texts.ts';

/** Shows the cash to give back after a payment until the next payment, or until another family is opened. */
export function ChangeDueNote({ due, className }: { due: ChangeDue; className?: string }): ReactNode {
  return (
    <div
      className={clsx(
        'flex flex-wrap items-center justify-between gap-x-6 gap-y-1 rounded-card border border-wait-fill bg-wait-soft px-4 py-3 md:px-5',
        className,
      )}
    >
      <div className="min-w-0">
        <p className="font-semibold text-wait">{CHANGE_TO_GIVE_BACK}</p>
        <p className="clip-anywhere text-s text-ink-soft">{due.family}</p>
      </div>
      <p className="figure num text-[2.25rem] leading-none">{dollars(due.amount)}</p>
    </div>
  );
}

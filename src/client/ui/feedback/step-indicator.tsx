import clsx from 'clsx';
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { DONE, STEPS } from '../../texts.ts';

export function StepIndicator({ steps, current }: { steps: readonly string[]; current: number }): ReactNode {
  return (
    <ol className="mb-5 flex gap-2 text-xs font-semibold text-ink-soft" aria-label={STEPS}>
      {steps.map((step, index) => (
        <li
          key={step}
          aria-current={index === current ? 'step' : undefined}
          className={clsx(
            'flex grow items-center gap-2 border-t-2 pt-2',
            index <= current ? 'border-accent' : 'border-line',
            index === current && 'text-ink',
          )}
        >
          {index < current && <Check className="size-3.5 text-good" aria-label={DONE} />}
          {index + 1}. {step}
        </li>
      ))}
    </ol>
  );
}

import clsx from 'clsx';
import { Check, Circle, CircleAlert, Clock } from 'lucide-react';
import type { ReactNode } from 'react';

export type Tone = 'good' | 'wait' | 'none' | 'bad';

const LOOKS: Record<Tone, string> = {
  good: 'bg-good-soft text-good',
  wait: 'bg-wait-soft text-wait',
  none: 'bg-sunk text-ink-soft',
  bad: 'bg-bad-soft text-bad',
};
// The icon of each tone. None of the icons can be mistaken for a minus sign or a dash before the label.
const ICONS = { good: Check, wait: Clock, none: Circle, bad: CircleAlert };

export function Badge({ tone, children }: { tone: Tone; children: ReactNode }): ReactNode {
  const Icon = ICONS[tone];
  return (
    <span
      className={clsx(
        'inline-flex items-center gap-1.5 rounded-full py-0.5 ps-2 pe-2.5 text-xs font-semibold whitespace-nowrap forced-colors:border',
        LOOKS[tone],
      )}
    >
      <Icon className={clsx('shrink-0', tone === 'none' ? 'mx-0.5 size-2.5' : 'size-3.5')} strokeWidth={2.4} aria-hidden />
      {children}
    </span>
  );
}

import { Clock } from 'lucide-react';
import type { ReactNode } from 'react';
import { opensLater } from '../../../domain/distribution.ts';
import { zonedTime } from '../../../shared/zoned-time.ts';
import type { Distribution } from '../contract.ts';
import { orderFromText, orderUntilText } from '../texts.ts';

/**
 * Shows when a customer can order: 'Order from …' before ordering opens, 'Order until …' before it closes. Renders nothing if neither time
 * is set.
 */
export function OrderingTimes({ distribution, now }: { distribution: Distribution; now: string }): ReactNode {
  const { orderingOpen, opensAt, closesAt, timeZone } = distribution;
  if (!orderingOpen) return null;
  const texts = [
    opensAt !== null && opensLater(distribution, now) && orderFromText(zonedTime(opensAt, timeZone)),
    closesAt !== null && orderUntilText(zonedTime(closesAt, timeZone)),
  ].filter((text) => text !== false);
  if (texts.length === 0) return null;
  return (
    <span className="flex items-center gap-1.5 font-semibold text-ink">
      <Clock className="size-4 shrink-0" aria-hidden />
      {texts.join(' · ')}
    </span>
  );
}

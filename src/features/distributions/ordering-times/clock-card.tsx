import { Clock } from 'lucide-react';
import type { ReactNode } from 'react';
import { lazyScreen } from '../../../client/navigation/lazy-screen.ts';
import { Button } from '../../../client/ui/forms/button.tsx';
import { Card } from '../../../client/ui/layout/card.tsx';
import { DialogButton } from '../../../client/ui/overlays/dialog-button.tsx';
import { zonedTime } from '../../../shared/zoned-time.ts';
import type { Distribution } from '../contract.ts';
import {
  BY_HAND,
  CHANGE_TIMES,
  CLOCK,
  CLOSES,
  hoursBeforeText,
  OPENS,
  ORDERING_IS_OVER,
  REMINDER,
  SET_TIMES,
  TIME_ZONE,
  timeZoneText,
} from '../texts.ts';

const ClockForm = lazyScreen(async () => (await import('./clock-form.tsx')).ClockForm);

/** Shows the times at which ordering opens and closes, and when customers are reminded (contract §11). */
export function ClockCard({ distribution }: { distribution: Distribution }): ReactNode {
  const { opensAt, closesAt, remindHours, timeZone, orderingOpen } = distribution;
  // The closing time is shown only while ordering is open. After the distributor has closed ordering, a closing time in the future would be
  // wrong. A closing time in the past is of no use.
  const closing = orderingOpen ? closesAt : null;
  const isUsed = opensAt !== null || closesAt !== null || remindHours !== null;
  const hasRows = opensAt !== null || closing !== null || remindHours !== null;
  const rows = [
    opensAt !== null && { label: OPENS, text: zonedTime(opensAt, timeZone) },
    closing !== null && { label: CLOSES, text: zonedTime(closing, timeZone) },
    remindHours !== null && { label: REMINDER, text: hoursBeforeText(remindHours) },
    hasRows && timeZone !== null && { label: TIME_ZONE, text: timeZoneText(timeZone) },
  ].filter((row) => row !== false);
  return (
    <Card title={CLOCK}>
      {hasRows ? (
        <dl className="grid gap-2">
          {rows.map(({ label, text }) => (
            <div key={label} className="flex flex-wrap justify-between gap-x-4">
              <dt className="text-ink-soft">{label}</dt>
              <dd className="font-semibold">{text}</dd>
            </div>
          ))}
        </dl>
      ) : (
        <p className="text-s text-ink-soft">{orderingOpen ? BY_HAND : ORDERING_IS_OVER}</p>
      )}
      {(orderingOpen || isUsed) && (
        <div className="mt-4">
          <DialogButton
            trigger={<Button icon={<Clock aria-hidden />}>{isUsed ? CHANGE_TIMES : SET_TIMES}</Button>}
            title={CLOCK}
            size="m"
            content={(dialog) => <ClockForm distribution={distribution} {...dialog} />}
          />
        </div>
      )}
    </Card>
  );
}

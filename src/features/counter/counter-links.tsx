// The pages of the pick-up day beside the counter: tills, control room and prints (contract §14, §15).
import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { isPreviousPage } from '../../client/navigation/go-back.ts';
import { Card } from '../../client/ui/layout/card.tsx';
import { homeOf } from '../../domain/accounts/roles.ts';
import { useUser } from '../auth/auth-provider.tsx';
import { CONTROL_ROOM } from '../control-room/texts.ts';
import type { Distribution } from '../distributions/contract.ts';
import { PICK_UP_PRINT } from '../print/texts.ts';
import { TILLS } from '../tills/texts.ts';
import { BACK_TO_COUNTER, MEANS, ON_THE_DAY } from './texts.ts';

interface DayPage {
  readonly label: string;
  readonly href: string;
  readonly means: string;
}

const pageOf = (role: Parameters<typeof homeOf>[0], id: number | string, page: string): string =>
  `${homeOf(role)}/distribution/${id}/${page}`;

export function useDayPages(id: number | string): readonly DayPage[] {
  const { role, mayTakePayments } = useUser();
  const tills = { label: TILLS, href: pageOf(role, id, 'tills'), means: MEANS.tills };
  if (role !== 'distributor') return mayTakePayments === true ? [tills] : [];
  return [
    tills,
    { label: CONTROL_ROOM, href: pageOf(role, id, 'control-room'), means: MEANS.controlRoom },
    { label: PICK_UP_PRINT, href: pageOf(role, id, 'pick-up-print'), means: MEANS.pickUpPrint },
  ];
}

/**
 * Renders the card on the distribution-info tab with links to the pages of the pick-up day, while the distribution accepts actual
 * quantities.
 */
export function DayCard({ distribution: { id, acceptActuals } }: { distribution: Distribution }): ReactNode {
  const pages = useDayPages(id);
  if (!acceptActuals) return null;
  return (
    <Card title={ON_THE_DAY}>
      <ul className="grid gap-1">
        {pages.map(({ label, href, means }) => (
          <li key={label}>
            <Link href={href} className="link flex min-h-11 items-center dense:min-h-8">
              {label}
            </Link>
            <p className="text-s text-ink-soft">{means}</p>
          </li>
        ))}
      </ul>
    </Card>
  );
}

interface Back {
  readonly href: string;
  readonly label: string;
}

/** Returns the back link of a page of the pick-up day: to the counter if the user came from the counter, and `otherwise` if not. */
export function useBackToCounter(id: number | string, otherwise: Back): Back {
  const { role } = useUser();
  const href = pageOf(role, id, 'counter');
  const [isFromCounter] = useState(() => isPreviousPage(href));
  return isFromCounter ? { href, label: BACK_TO_COUNTER } : otherwise;
}

import type { ReactNode } from 'react';
import { useParams } from 'wouter';
import { ButtonLink } from '../../../client/ui/forms/button.tsx';
import { Badge } from '../../../client/ui/feedback/badge.tsx';
import { Card } from '../../../client/ui/layout/card.tsx';
import { EmptyState } from '../../../client/ui/feedback/empty-state.tsx';
import { PageHeader } from '../../../client/ui/layout/page-header.tsx';
import { SkeletonTable } from '../../../client/ui/feedback/skeleton.tsx';
import { useFresh, useRead } from '../../../client/api/use-calls.ts';
import { homeOf } from '../../../domain/accounts/roles.ts';
import { shortDate } from '../../../shared/dates.ts';
import { useUser } from '../../auth/auth-provider.tsx';
import { CustomerPage } from '../../contact/customer-page.tsx';
import { sortNameOrEmail } from '../../../shared/person-name.ts';
import { UserPage } from '../../auth/user-page.tsx';
import { PendingPage, ProblemPage } from '../../distributions/problem-page.tsx';
import { BACK_TO_CUSTOMERS, BACK_TO_DASHBOARD, BACK_TO_ORDERS } from '../../distributions/texts.ts';
import { REHEARSAL } from '../../rehearsals/texts.ts';
import { readOrderForActuals, type OrderForActuals } from '../contract.ts';
import { ORDER_NOT_FOUND } from '../../orders/texts.ts';
import { NO_SUCH_ORDER, NOTHING_TO_WEIGH, TITLE } from '../texts.ts';
import { WeighingForm } from './weighing-form.tsx';

/** Renders the weighing screen of distributors, agents and customers, such as /agent/orders/{orderId}/actual-quantities (spec §2). */
export function WeighingPage(): ReactNode {
  const { role } = useUser();
  const { orderId } = useParams<{ orderId: string }>();
  const content = /^\d{1,9}$/.test(orderId) ? <WeighingOf key={orderId} orderId={Number(orderId)} /> : <NoOrder />;
  if (role === 'customer') return <CustomerPage>{content}</CustomerPage>;
  return <UserPage>{content}</UserPage>;
}

function WeighingOf({ orderId }: { orderId: number }): ReactNode {
  const { role } = useUser();
  const read = useRead(readOrderForActuals, { orderId }, { nullOn: 404 });
  // Waits for fresh data, because the form takes its initial values from the order only once.
  const order = useFresh([read]) ? read.data : undefined;
  if (order === null) return <NoOrder />;
  if (order === undefined) return <PendingPage title={TITLE} read={read} waiting={<SkeletonTable rows={8} />} />;
  return (
    <>
      <PageHeader title={TITLE} context={contextOf(order, role === 'customer')} back={backOf(order, role)} />
      {order.products.length === 0 ? (
        <Card>
          <EmptyState picture="scale" text={NOTHING_TO_WEIGH} />
        </Card>
      ) : (
        <WeighingForm order={order} reload={() => void read.refetch()} />
      )}
    </>
  );
}

function contextOf(order: OrderForActuals, isOwn: boolean): ReactNode {
  const name = sortNameOrEmail(order);
  return (
    <>
      {!isOwn && <span className="font-semibold text-ink">{name}</span>}
      {!isOwn && <span aria-hidden>·</span>}
      <span>{`${order.distributionName} · ${shortDate(order.distributionDate)}`}</span>
      {order.rehearsal && <Badge tone="wait">{REHEARSAL}</Badge>}
    </>
  );
}

function backOf({ distributionId }: OrderForActuals, role: string): { href: string; label: string } {
  if (role === 'customer') return { href: '/customer', label: BACK_TO_DASHBOARD };
  if (role === 'agent') return { href: `/agent/distribution/${distributionId}`, label: BACK_TO_ORDERS };
  return { href: `/distributor/distribution/${distributionId}?tab=customers`, label: BACK_TO_CUSTOMERS };
}

function NoOrder(): ReactNode {
  const home = homeOf(useUser().role);
  return (
    <ProblemPage title={ORDER_NOT_FOUND}>
      <Card>
        <EmptyState picture="search" text={NO_SUCH_ORDER} action={<ButtonLink href={home}>{BACK_TO_DASHBOARD}</ButtonLink>} />
      </Card>
    </ProblemPage>
  );
}

import type { ReactNode } from 'react';
import { Redirect } from 'wouter';
import { sentenceOf } from '../client/api/fetch.ts';
import { Card } from '../client/ui/layout/card.tsx';
import { EmptyState } from '../client/ui/feedback/empty-state.tsx';
import { ErrorState } from '../client/ui/feedback/error-state.tsx';
import { PageHeader } from '../client/ui/layout/page-header.tsx';
import { SourceLine } from '../client/ui/layout/source-line.tsx';
import { SkeletonCards } from '../client/ui/feedback/skeleton.tsx';
import { useFresh, useRead } from '../client/api/use-calls.ts';
import { PHONE, useMedia } from '../client/hooks/use-media.ts';
import { isOnOffer, opensLater } from '../domain/distribution.ts';
import { readContact } from '../features/contact/contract.ts';
import { CustomerPage, Welcome } from '../features/contact/customer-page.tsx';
import { useOrderingTime } from '../features/distributions/ordering-times/use-ordering-time.ts';
import { listDistributions, type Distribution } from '../features/distributions/contract.ts';
import { AvailableDistributions } from '../features/orders/dashboard/available-distributions.tsx';
import { listOrders, type OrderItem } from '../features/orders/contract.ts';
import { MyOrders } from '../features/orders/dashboard/my-orders.tsx';
import { NOTHING_AVAILABLE } from '../features/orders/texts.ts';
import { CUSTOMER_DASHBOARD } from './texts.ts';

/** The customer sees this screen at the path /customer (spec §2). */
export function CustomerDashboard(): ReactNode {
  const isPhone = useMedia(PHONE);
  const contact = useRead(readContact);
  // The contact must have been read again from the server, because the user may have saved a contact after the cached read.
  const isFresh = useFresh([contact]);
  if (isFresh && contact.data === null) return <Redirect to="/customer/contact-info" replace />;
  return (
    <CustomerPage>
      <PageHeader title={CUSTOMER_DASHBOARD} context={isPhone ? <Welcome /> : undefined} />
      {contact.error && !contact.data ? (
        <ErrorState text={sentenceOf(contact.error)} onRetry={() => void contact.refetch()} />
      ) : (
        <Lists isReady={!!contact.data} />
      )}
      <SourceLine className="mt-16" />
    </CustomerPage>
  );
}

function Lists({ isReady }: { isReady: boolean }): ReactNode {
  const distributions = useRead(listDistributions);
  const orders = useRead(listOrders);
  const failed = [distributions, orders].find((read) => read.error && read.data === undefined);
  if (failed?.error) return <ErrorState text={sentenceOf(failed.error)} onRetry={() => void failed.refetch()} />;
  if (!isReady || !distributions.data || !orders.data) return <SkeletonCards />;
  return <Sections distributions={distributions.data} orders={orders.data} />;
}

/**
 * Whether the dashboard shows the order. An order whose quantities are all 0 counts as not placed (contract §5), but it stays visible if it
 * has payments.
 */
const isShown = (order: OrderItem): boolean => order.products.length > 0 || order.balance !== 0;

function Sections({ distributions, orders }: { distributions: readonly Distribution[]; orders: readonly OrderItem[] }): ReactNode {
  const now = useOrderingTime(distributions);
  const shown = orders.filter(isShown);
  const ordered = new Set(shown.map((order) => order.distributionId));
  const onOffer = distributions.filter((distribution) => isOnOffer(distribution, ordered.has(distribution.id)));
  if (onOffer.length === 0 && shown.length === 0)
    return (
      <Card>
        <EmptyState text={NOTHING_AVAILABLE} />
      </Card>
    );
  const canOrder = (distribution: Distribution): boolean => distribution.orderingOpen && !opensLater(distribution, now);
  const open = onOffer.filter(canOrder);
  const later = onOffer.filter((distribution) => distribution.orderingOpen && !canOrder(distribution));
  const closed = onOffer.filter(({ orderingOpen }) => !orderingOpen);
  const available = <AvailableDistributions distributions={[...open, ...later, ...closed]} now={now} />;
  const isNothingToOrder = open.length === 0 && shown.length > 0;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-10">
      {!isNothingToOrder && available}
      <MyOrders orders={shown} distributions={distributions} now={now} />
      {isNothingToOrder && available}
    </div>
  );
}

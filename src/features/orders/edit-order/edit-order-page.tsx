import type { ReactNode } from 'react';
import { useParams } from 'wouter';
import { ButtonLink } from '../../../client/ui/forms/button.tsx';
import { EmptyState } from '../../../client/ui/feedback/empty-state.tsx';
import { SkeletonTable } from '../../../client/ui/feedback/skeleton.tsx';
import { useFresh, useRead } from '../../../client/api/use-calls.ts';
import { homeOf } from '../../../domain/accounts/roles.ts';
import { useUser } from '../../auth/auth-provider.tsx';
import { displayName } from '../../../shared/person-name.ts';
import { UserPage } from '../../auth/user-page.tsx';
import { readOrderPageData, type OrderPageData } from '../contract.ts';
import { EditOrderForm } from './edit-order-form.tsx';
import { EditOrderHeader } from './edit-order-header.tsx';
import { OrderHistory } from './order-history.tsx';
import { EDIT_ORDER, NO_PRODUCTS, NO_SUCH_ORDER, ORDER_NOT_FOUND } from '../texts.ts';
import { PendingPage, ProblemPage } from '../../distributions/problem-page.tsx';
import { CANCEL } from '../../../client/texts.ts';

const ID = /^\d{1,9}$/;

/** The page at /distributor/edit-order/{distributionId}/{customerId}, and at the same path for agents (spec §2). */
export function EditOrderPage(): ReactNode {
  const { distributionId, customerId } = useParams<{ distributionId: string; customerId: string }>();
  return (
    <UserPage>
      {ID.test(distributionId) && ID.test(customerId) ? (
        <OrderOf key={`${distributionId} ${customerId}`} distributionId={Number(distributionId)} customerId={Number(customerId)} />
      ) : (
        <NoOrder />
      )}
    </UserPage>
  );
}

function OrderOf(params: { distributionId: number; customerId: number }): ReactNode {
  const read = useRead(readOrderPageData, params, { nullOn: 404 });
  const home = homeOf(useUser().role);
  // The form takes its initial values from the order only once, so they must be fresh.
  const isFresh = useFresh([read]);
  if (isFresh && read.data === null) return <NoOrder />;
  if (!read.data || !isFresh) return <PendingPage title={EDIT_ORDER} read={read} waiting={<SkeletonTable rows={8} hasHead />} />;
  const { contact, order, distributionProducts } = read.data;
  const customer = displayName(contact);
  const list = `${home}/distribution/${params.distributionId}${home === '/distributor' ? '?tab=customers' : ''}`;
  const reload = async (): Promise<OrderPageData | undefined> => {
    const fresh = await read.refetch();
    return fresh.isSuccess ? (fresh.data ?? undefined) : undefined;
  };
  return (
    <>
      <EditOrderHeader data={read.data} customer={customer} list={list} home={home} />
      {distributionProducts.length === 0 ? (
        <EmptyState text={NO_PRODUCTS} action={<ButtonLink href={list}>{CANCEL}</ButtonLink>} />
      ) : (
        <EditOrderForm data={read.data} customer={customer} list={list} reload={reload} />
      )}
      {order && <OrderHistory orderId={order.id} />}
    </>
  );
}

const NoOrder = (): ReactNode => (
  <ProblemPage title={ORDER_NOT_FOUND}>
    <EmptyState picture="search" text={NO_SUCH_ORDER} />
  </ProblemPage>
);

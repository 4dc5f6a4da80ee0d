import type { ReactNode } from 'react';
import { useParams } from 'wouter';
import { ButtonLink } from '../../client/ui/button.tsx';
import { EmptyState } from '../../client/ui/empty-state.tsx';
import { ErrorState } from '../../client/ui/error-state.tsx';
import { PageHeader } from '../../client/ui/page-header.tsx';
import { Bar, Skeleton } from '../../client/ui/skeleton.tsx';
import { useRead } from '../../client/use-calls.ts';
import { shortDate } from '../../shared/dates.ts';
import { CustomerPage } from '../contact/customer-page.tsx';
import { readDistribution } from '../distributions/contract.ts';
import { listFees } from '../fees/contract.ts';
import { listProducts } from '../products/contract.ts';
import { OwnPictures } from '../products/own-pictures.tsx';
import { readOrder, type Order } from './contract.ts';
import { OrderForm } from './order-form.tsx';
import { EDIT_ORDER, NO_PRODUCTS, PLACE_ORDER } from './texts.ts';

/** /customer/order/{distributionId} (spec §2). */
export function OrderPage(): ReactNode {
  const { distributionId } = useParams<{ distributionId: string }>();
  return (
    <CustomerPage>
      {/^\d{1,9}$/.test(distributionId) ? <OrderOf key={distributionId} id={Number(distributionId)} /> : <NoDistribution />}
    </CustomerPage>
  );
}

const BACK = { href: '/customer', label: 'Back to Dashboard' };

function OrderOf({ id }: { id: number }): ReactNode {
  const distribution = useRead(readDistribution, { id }, { nullOn: 404 });
  const products = useRead(listProducts, { id });
  const fees = useRead(listFees, { id });
  const order = useRead(readOrder, { distributionId: id });
  const reads = [distribution, products, fees, order];

  if (distribution.data === null) return <NoDistribution />;
  // What is typed is seeded from the order once, so it must not begin with what an earlier visit left in the cache.
  const isRead = reads.every((read) => read.isFetchedAfterMount);
  if (isRead && distribution.data && products.data && fees.data && order.data !== undefined) {
    const { name, date } = distribution.data;
    const reload = async (): Promise<Order | null | undefined> => {
      const [fresh] = await Promise.all([order.refetch(), distribution.refetch(), products.refetch(), fees.refetch()]);
      return fresh.isSuccess ? fresh.data : undefined;
    };
    const isPlaced = order.data !== null && order.data.products.length > 0;
    return (
      <>
        <PageHeader title={isPlaced ? EDIT_ORDER : PLACE_ORDER} context={`${name} · ${shortDate(date)}`} back={BACK} />
        {products.data.length === 0 ? (
          <EmptyState text={NO_PRODUCTS} action={<ButtonLink href="/customer">Cancel</ButtonLink>} />
        ) : (
          <OwnPictures>
            <OrderForm distribution={distribution.data} products={products.data} fees={fees.data} order={order.data} reload={reload} />
          </OwnPictures>
        )}
      </>
    );
  }
  const failed = reads.find((read) => read.error);
  if (!failed?.error) return <LoadingOrder />;
  const retry = (): void => reads.forEach((read) => void (read.error && read.refetch()));
  return (
    <>
      <PageHeader title={PLACE_ORDER} back={BACK} />
      <ErrorState text={failed.error.message} onRetry={retry} />
    </>
  );
}

function NoDistribution(): ReactNode {
  return (
    <>
      <PageHeader title="Distribution not found" back={BACK} />
      <EmptyState
        picture="search"
        text="There is no such distribution, or it is not published."
        action={
          <ButtonLink href="/customer" variant="main">
            See your distributions
          </ButtonLink>
        }
      />
    </>
  );
}

function LoadingOrder(): ReactNode {
  return (
    <Skeleton className="grid gap-6 pt-10">
      <Bar className="h-9 w-56" />
      <Bar className="h-4 w-72" />
      <Bar className="h-11 w-full max-w-sm" />
      {Array.from({ length: 6 }, (_, row) => (
        <div key={row} className="grid gap-3 border-b border-line pb-4">
          <Bar className="h-5 w-2/5" />
          <Bar className="h-4 w-3/5" />
          <Bar className="h-11 w-36" />
        </div>
      ))}
    </Skeleton>
  );
}

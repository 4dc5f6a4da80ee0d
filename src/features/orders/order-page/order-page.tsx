import { useQueryClient } from '@tanstack/react-query';
import { useDeferredValue, useMemo, type ReactNode } from 'react';
import { useParams } from 'wouter';
import { CANCEL } from '../../../client/texts.ts';
import { ButtonLink } from '../../../client/ui/forms/button.tsx';
import { Card } from '../../../client/ui/layout/card.tsx';
import { EmptyState } from '../../../client/ui/feedback/empty-state.tsx';
import { PageHeader } from '../../../client/ui/layout/page-header.tsx';
import { Bar, Skeleton } from '../../../client/ui/feedback/skeleton.tsx';
import { useFresh, useRead } from '../../../client/api/use-calls.ts';
import { quantitiesOf } from '../../../domain/order.ts';
import { shownProducts } from '../../../domain/ordering/withdrawn-products.ts';
import { blockedReasonOnDevice } from '../../../domain/distribution.ts';
import { isLimited } from '../../../domain/ordering/limits.ts';
import { shortDate } from '../../../shared/dates.ts';
import { pathOf } from '../../../shared/endpoint.ts';
import { CustomerPage } from '../../contact/customer-page.tsx';
import { OrderingTimes } from '../../distributions/ordering-times/ordering-times.tsx';
import { useOrderingTime } from '../../distributions/ordering-times/use-ordering-time.ts';
import { readDistribution, type Distribution } from '../../distributions/contract.ts';
import { PendingPage, ProblemPage } from '../../distributions/problem-page.tsx';
import { BACK_TO_DASHBOARD } from '../../distributions/texts.ts';
import { listFees } from '../../fees/contract.ts';
import { listSlots } from '../../slots/contract.ts';
import { listProducts, type Product } from '../../products/contract.ts';
import { OwnWaitingProvider } from '../../waiting/own-waiting.tsx';
import { DistributorPictures } from '../../products/pictures/distributor-pictures.tsx';
import { readOrder, type Order } from '../contract.ts';
import { OrderForm } from './order-form.tsx';
import { EDIT_ORDER, NO_PRODUCTS, NO_SUCH_DISTRIBUTION, PLACE_ORDER, SEE_DISTRIBUTIONS } from '../texts.ts';

/** Renders the screen at /customer/order/{distributionId} (spec §2). */
export function OrderPage(): ReactNode {
  const { distributionId } = useParams<{ distributionId: string }>();
  return (
    <CustomerPage>
      {/^\d{1,9}$/.test(distributionId) ? <OrderOf key={distributionId} id={Number(distributionId)} /> : <NoDistribution />}
    </CustomerPage>
  );
}

/**
 * Other customers change how many units are left of a product with a limit, so these numbers are read at regular intervals (contract §12).
 */
const LIVE_LIMITS = { isLive: (products: readonly Product[]): boolean => products.some(({ left }) => isLimited(left)) };

function OrderOf({ id }: { id: number }): ReactNode {
  const distribution = useRead(readDistribution, { id }, { nullOn: 404 });
  const products = useRead(listProducts, { id }, LIVE_LIMITS);
  const fees = useRead(listFees, { id });
  const order = useRead(readOrder, { distributionId: id });
  const reads = [distribution, products, fees, order];

  const queries = useQueryClient();
  const now = useOrderingTime(distribution.data ? [distribution.data] : []);
  const isFound = useFresh([distribution]);
  // The form takes its initial values from the order only once, so the data must be fresh. Rendering hundreds of products is deferred, so
  // that the page stays responsive.
  const isFresh = useDeferredValue(useFresh(reads));
  const shown = useMemo(() => {
    return products.data && shownProducts(products.data, quantitiesOf(order.data?.products ?? []));
  }, [products.data, order.data]);
  if (isFound && distribution.data === null) return <NoDistribution />;
  if (isFresh && distribution.data && shown && fees.data && order.data !== undefined) {
    const { name, date } = distribution.data;
    const reload = async (): Promise<Order | null | undefined> => {
      const slots = queries.invalidateQueries({ queryKey: [pathOf(listSlots, { id })] });
      const [fresh] = await Promise.all([order.refetch(), distribution.refetch(), products.refetch(), fees.refetch(), slots]);
      return fresh.isSuccess ? fresh.data : undefined;
    };
    const isPlaced = order.data !== null && order.data.products.length > 0;
    return (
      <>
        <PageHeader
          title={isPlaced ? EDIT_ORDER : PLACE_ORDER}
          context={
            <>
              {`${name} · ${shortDate(date)}`}
              <OrderingTimes distribution={distribution.data} now={now} />
            </>
          }
          back={{ href: '/customer', label: BACK_TO_DASHBOARD }}
        />
        {shown.length === 0 ? (
          <Card>
            <EmptyState text={NO_PRODUCTS} action={<ButtonLink href="/customer">{CANCEL}</ButtonLink>} />
          </Card>
        ) : (
          <DistributorPictures>
            <OwnWaitingProvider distribution={distribution.data} isEnabled={canWait(distribution.data, now)}>
              <OrderForm distribution={distribution.data} now={now} products={shown} fees={fees.data} order={order.data} reload={reload} />
            </OwnWaitingProvider>
          </DistributorPictures>
        )}
      </>
    );
  }
  const error = reads.find((read) => read.error)?.error ?? null;
  const refetch = (): void => reads.forEach((read) => void (read.error && read.refetch()));
  return <PendingPage title={PLACE_ORDER} read={{ error, refetch }} waiting={<LoadingOrder />} />;
}

/**
 * Whether the customer can have entries on waiting lists. Limits do not matter here: when the limit of a product is removed, the customer's
 * entry stays with its held units.
 */
const canWait = (distribution: Distribution, now: string): boolean => blockedReasonOnDevice(distribution, now) === null;

function NoDistribution(): ReactNode {
  return (
    <ProblemPage title={NO_SUCH_DISTRIBUTION.title}>
      <Card>
        <EmptyState
          picture="search"
          text={NO_SUCH_DISTRIBUTION.description}
          action={
            <ButtonLink href="/customer" variant="main">
              {SEE_DISTRIBUTIONS}
            </ButtonLink>
          }
        />
      </Card>
    </ProblemPage>
  );
}

function LoadingOrder(): ReactNode {
  return (
    <Skeleton className="block pt-2">
      <div className="items-start gap-6 lg:grid xl:gap-10 lg:grid-cols-[minmax(0,1fr)_19rem] xl:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid gap-3">
          <Bar className="h-11 w-full" />
          <Bar className="h-11 w-full dense:h-9" />
          {Array.from({ length: 6 }, (_, row) => (
            <div key={row} className="flex flex-wrap items-center justify-between gap-3 border-b border-line py-4">
              <div className="grid gap-2.5 max-md:w-full md:max-w-80 md:grow">
                <Bar className="h-4.5 w-3/5" />
                <Bar className="h-3.5 w-4/5" />
              </div>
              <Bar className="h-11 w-36" />
              <Bar className="hidden h-4 w-16 md:block" />
            </div>
          ))}
        </div>
        <div className="hidden h-80 rounded-card border border-line bg-card lg:block" />
      </div>
    </Skeleton>
  );
}

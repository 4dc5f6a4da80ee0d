import type { ReactNode } from 'react';
import { ButtonLink } from '../../../client/ui/forms/button.tsx';
import { PageHeader } from '../../../client/ui/layout/page-header.tsx';
import { balanceText } from '../../../domain/payment.ts';
import { shortDate } from '../../../shared/dates.ts';
import { DistributionBadges } from '../../distributions/distribution-badges.tsx';
import { PayNow } from '../../payments/pay/pay-now.tsx';
import type { OrderPageData } from '../contract.ts';
import {
  backToText,
  BALANCE_OF_SAVED,
  CLOSED_FOR_CUSTOMERS,
  EDIT_ORDER,
  ESTIMATED,
  PAID,
  UNPUBLISHED_FOR_CUSTOMERS,
  weightsText,
} from '../texts.ts';
import { PRINT_ORDER } from '../../print/texts.ts';

interface EditOrderHeaderProps {
  data: OrderPageData;
  customer: string;
  list: string;
  home: string;
}

export function EditOrderHeader({ data, customer, list, home }: EditOrderHeaderProps): ReactNode {
  const { distribution, order, account } = data;
  const { name, date, published, acceptActuals } = distribution;
  return (
    <>
      <PageHeader
        title={EDIT_ORDER}
        back={{ href: list, label: backToText(name) }}
        context={
          <>
            <span className="font-semibold text-ink">{customer}</span>
            <span aria-hidden>·</span>
            <span>{name}</span>
            <span aria-hidden>·</span>
            <span>{shortDate(date)}</span>
            <DistributionBadges distribution={distribution} />
          </>
        }
        actions={
          order &&
          account && (
            <>
              {acceptActuals && account.expected_count > 0 && (
                <ButtonLink href={`${home}/orders/${order.id}/actual-quantities`}>
                  {weightsText(account.actual_count, account.expected_count)}
                </ButtonLink>
              )}
              <ButtonLink href={`${home}/print-order/${order.id}`}>{PRINT_ORDER}</ButtonLink>
              {home === '/distributor' && (
                <PayNow
                  orderId={order.id}
                  customer={customer}
                  balance={account.balance}
                  isReady={account.has_all_actuals}
                  unconfirmed={account.unconfirmed_count}
                />
              )}
            </>
          )
        }
      />
      <p className="-mt-3 mb-5 flex flex-wrap gap-x-5 gap-y-1 text-s text-ink-soft empty:hidden">
        {account && (account.orderAmount > 0 || account.balance !== 0) && (
          <span>
            {account.balance > 0 && `${BALANCE_OF_SAVED} `}
            <b className="num font-semibold text-ink">{account.balance === 0 ? PAID : balanceText(account.balance)}</b>
            {!account.has_all_actuals && ` ${ESTIMATED}`}
          </span>
        )}
        {!(published && distribution.orderingOpen) && !distribution.rehearsal && (
          <span>{published ? CLOSED_FOR_CUSTOMERS : UNPUBLISHED_FOR_CUSTOMERS}</span>
        )}
      </p>
    </>
  );
}

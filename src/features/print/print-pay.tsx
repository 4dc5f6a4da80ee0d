import { useMemo, type ReactNode } from 'react';
import { LazyPart } from '../../client/lazy-part.tsx';
import { lazyScreen } from '../../client/navigation/lazy-screen.ts';
import { hasAllActuals, orderedAmount, withActuals } from '../../domain/weights/actuals.ts';
import { balanceOf } from '../../domain/payment.ts';
import { displayName } from '../../shared/person-name.ts';
import type { PrintData } from './contract.ts';

// The code for paying is loaded on demand, so that the code of the customer's print page stays small.
const PayNow = lazyScreen(async () => (await import('../payments/pay/pay-now.tsx')).PayNow);

export function PrintPay({ print }: { print: PrintData }): ReactNode {
  const { order, products, actuals, fees, payments, contact, unconfirmed_count } = print;
  const account = useMemo(() => {
    const lines = withActuals(products, actuals);
    return { balance: balanceOf(orderedAmount(lines, fees), payments), isReady: hasAllActuals(lines) };
  }, [products, actuals, fees, payments]);
  return (
    <LazyPart>
      <PayNow orderId={order.id} customer={displayName(contact)} unconfirmed={unconfirmed_count} {...account} />
    </LazyPart>
  );
}

import type { ReactNode } from 'react';
import type { PrintData } from './contract.ts';
import { OrderCode } from './pick-up/order-code.tsx';
import { displayName, personName } from '../../shared/person-name.ts';

const joined = (parts: readonly (string | null)[], by: string): string => parts.filter((part) => part !== null && part !== '').join(by);

/** Shows the sender, the customer, and the code of the order, which the counter's scanner reads (contract §14). */
export function Letterhead({ organization, contact, order }: Pick<PrintData, 'organization' | 'contact' | 'order'>): ReactNode {
  const { name, phone } = organization;
  const address = joined(
    [organization.address, joined([organization.city, joined([organization.state, organization.zip], ' ')], ', ')],
    ', ',
  );
  return (
    <div className="paper-top">
      <address className="leading-snug not-italic">
        <b className="text-m font-semibold">{displayName(contact)}</b>
        {[
          contact.address,
          joined([contact.city, joined([contact.state, contact.zip], ' ')], ', '),
          contact.phone,
          personName(contact) && contact.email,
        ].map((line, index) => line && <div key={index}>{line}</div>)}
      </address>
      {joined([name, address, phone], '') !== '' && (
        <address className="paper-sender leading-snug not-italic">
          {name && <div className="figure text-l">{name}</div>}
          {address && <div>{address}</div>}
          {phone && <div>{phone}</div>}
        </address>
      )}
      <OrderCode orderId={order.id} className="paper-code" />
    </div>
  );
}

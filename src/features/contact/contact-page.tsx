import type { ReactNode } from 'react';
import { Card } from '../../client/ui/card.tsx';
import { ErrorState } from '../../client/ui/error-state.tsx';
import { PageHeader } from '../../client/ui/page-header.tsx';
import { Bar, Skeleton } from '../../client/ui/skeleton.tsx';
import { useFresh, useRead } from '../../client/use-calls.ts';
import { ContactForm } from './contact-form.tsx';
import { readContact } from './contract.ts';
import { CustomerPage } from './customer-page.tsx';
import { CONTACT_LEAD, CONTACT_TITLE } from './texts.ts';

/** /customer/contact-info (spec §2). */
export function ContactPage(): ReactNode {
  return (
    <CustomerPage>
      <div className="max-w-2xl">
        <PageHeader title={CONTACT_TITLE} context={CONTACT_LEAD} />
        <ContactCard />
      </div>
    </CustomerPage>
  );
}

function ContactCard(): ReactNode {
  const contact = useRead(readContact);
  const { data, error, refetch } = contact;
  const isFresh = useFresh([contact]);
  if (error && !isFresh) return <ErrorState text={error.message} onRetry={() => void refetch()} />;
  return <Card>{data === undefined || !isFresh ? <LoadingForm /> : <ContactForm contact={data} />}</Card>;
}

function LoadingForm(): ReactNode {
  return (
    <Skeleton className="grid gap-6">
      {Array.from({ length: 5 }, (_, field) => (
        <div key={field} className="grid gap-2">
          <Bar className="h-3.5 w-28" />
          <Bar className="h-10 w-full" />
        </div>
      ))}
    </Skeleton>
  );
}

import type { ReactNode } from 'react';
import { sentenceOf } from '../../client/api/fetch.ts';
import { Card } from '../../client/ui/layout/card.tsx';
import { ErrorState } from '../../client/ui/feedback/error-state.tsx';
import { PageHeader } from '../../client/ui/layout/page-header.tsx';
import { SkeletonForm } from '../../client/ui/feedback/skeleton.tsx';
import { useFresh, useRead } from '../../client/api/use-calls.ts';
import { ContactForm } from './contact-form.tsx';
import { readContact } from './contract.ts';
import { CustomerPage } from './customer-page.tsx';
import { CONTACT_LEAD, CONTACT_TITLE } from './texts.ts';

/** Renders the screen at /customer/contact-info (spec §2). */
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
  if (error && !isFresh) return <ErrorState text={sentenceOf(error)} onRetry={() => void refetch()} />;
  return (
    <Card>
      {data === undefined || !isFresh ? <SkeletonForm fields={7} /> : <ContactForm contact={data} onRefused={() => void refetch()} />}
    </Card>
  );
}

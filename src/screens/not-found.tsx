import type { ReactNode } from 'react';
import { pageTitle } from '../client/texts.ts';
import { Brand } from '../client/ui/layout/brand.tsx';
import { ButtonLink } from '../client/ui/forms/button.tsx';
import { EmptyStateIllustration } from '../client/ui/feedback/empty-state.tsx';
import { BACK_TO_FEASTDAY, FORGOT_ROUTE, PAGE_NOT_FOUND } from './texts.ts';

/** This screen is shown for any path that is not in the route table (spec §2). */
export function NotFound(): ReactNode {
  return (
    <main className="page flex min-h-dvh flex-col items-start py-6 md:py-9">
      <title>{pageTitle(PAGE_NOT_FOUND)}</title>
      <Brand />
      <div className="grid justify-items-start gap-3 pt-[min(18dvh,10rem)] pb-10">
        <EmptyStateIllustration of="search" className="-ms-2 size-24" />
        <h1>{PAGE_NOT_FOUND}</h1>
        <p className="text-ink-soft">{FORGOT_ROUTE}</p>
        <ButtonLink href="/auth" variant="main" size="l" className="mt-5">
          {BACK_TO_FEASTDAY}
        </ButtonLink>
      </div>
    </main>
  );
}

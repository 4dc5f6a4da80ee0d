import type { ReactNode } from 'react';
import { Brand } from '../client/ui/brand.tsx';
import { ButtonLink } from '../client/ui/button.tsx';

/** Any path that the route table does not know (spec §2). */
export function NotFound(): ReactNode {
  return (
    <main className="page grid min-h-dvh content-center justify-items-start gap-4 py-16">
      <Brand />
      <h1>404 Page Not Found</h1>
      <p className="text-ink-soft">Did you forget to add the page to the router?</p>
      <ButtonLink href="/auth" variant="main">
        Back to Feastday
      </ButtonLink>
    </main>
  );
}

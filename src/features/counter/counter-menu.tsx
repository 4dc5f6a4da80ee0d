import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button, ButtonLink } from '../../client/ui/forms/button.tsx';
import { Menu } from '../../client/ui/overlays/menu.tsx';
import { useDayPages } from './counter-links.tsx';
import { TILLS_AND_MORE } from './texts.ts';

/** Renders the links from the counter to the other pages of the pick-up day: a menu or, for a single page, a plain link. */
export function CounterMenu({ distributionId }: { distributionId: string }): ReactNode {
  const [first, ...others] = useDayPages(distributionId);
  if (!first) return null;
  const whereFits = 'max-md:group-has-data-family:hidden';
  if (others.length === 0)
    return (
      <ButtonLink href={first.href} className={whereFits}>
        {first.label}
      </ButtonLink>
    );
  const trigger = (
    <Button className={whereFits}>
      {TILLS_AND_MORE}
      <ChevronDown aria-hidden />
    </Button>
  );
  return <Menu trigger={trigger} items={[first, ...others]} />;
}

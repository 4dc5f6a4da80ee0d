import { Link as LinkIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { lazyScreen } from '../../client/navigation/lazy-screen.ts';
import { Button } from '../../client/ui/forms/button.tsx';
import { DialogButton } from '../../client/ui/overlays/dialog-button.tsx';
import { JOIN_LINK, JOIN_LINK_MEANS } from './texts.ts';

export const JoinLinkState = lazyScreen(async () => (await import('./join-link-state.tsx')).JoinLinkState);

/** The Join Link button of the Customers tab, and its dialog (contract §3). */
export const JoinLink = (): ReactNode => (
  <DialogButton
    trigger={<Button icon={<LinkIcon aria-hidden />}>{JOIN_LINK}</Button>}
    title={JOIN_LINK}
    description={JOIN_LINK_MEANS}
    size="m"
    content={() => <JoinLinkState />}
  />
);

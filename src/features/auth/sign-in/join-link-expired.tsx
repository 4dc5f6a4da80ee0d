import type { ReactNode } from 'react';
import { AuthPanel, BackToSignIn, Notice } from './auth-panel.tsx';
import { INVALID_LINK, JOIN_AGAIN, NEW_LINK_TITLE } from '../texts.ts';

/** The page that an expired join link opens. Either the account already exists, or the request to join has expired. */
export function JoinLinkExpired(): ReactNode {
  return (
    <AuthPanel title={NEW_LINK_TITLE} text={JOIN_AGAIN}>
      <Notice>{INVALID_LINK}</Notice>
      <BackToSignIn />
    </AuthPanel>
  );
}

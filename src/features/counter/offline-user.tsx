import { useEffect, useState, type ReactNode } from 'react';
import { useParams } from 'wouter';
import { StandalonePage } from '../../client/error-boundary.tsx';
import { ErrorState } from '../../client/ui/feedback/error-state.tsx';
import { PageSpinner } from '../../client/ui/feedback/spinner.tsx';
import { NOT_REACHED } from '../../client/texts.ts';
import type { Role } from '../../domain/accounts/roles.ts';
import { useAuth } from '../auth/auth-provider.tsx';
import { findOwner } from './device/counter-db.ts';
import { OFFLINE_AFTER_MS } from './requests/timeouts.ts';

/**
 * Without a network the client cannot ask the server who is signed in, so the counter opens for the user whose orders are on the device.
 * While the server may still respond (`isLoading`), the counter waits.
 */
export function OfflineUser({ role, isLoading }: { role: Role; isLoading: boolean }): ReactNode {
  const { becomeUser, refreshUser } = useAuth();
  const { id } = useParams<{ id: string }>();
  const [isNobody, setIsNobody] = useState(false);
  useEffect(() => {
    const find = (): void => {
      findOwner(Number(id)).then(
        (owner) => (owner?.role === role ? becomeUser(owner) : setIsNobody(true)),
        () => setIsNobody(true),
      );
    };
    const timer = setTimeout(find, isLoading ? OFFLINE_AFTER_MS : 0);
    return () => clearTimeout(timer);
  }, [id, role, isLoading, becomeUser]);
  if (!isNobody || isLoading) return <PageSpinner />;
  return (
    <StandalonePage>
      <ErrorState isPage text={NOT_REACHED} onRetry={() => void refreshUser()} />
    </StandalonePage>
  );
}

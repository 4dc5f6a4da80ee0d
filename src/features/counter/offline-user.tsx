import { useEffect, useState, type ReactNode } from 'react';
import { Redirect, useParams } from 'wouter';
import { PageSpinner } from '../../client/ui/feedback/spinner.tsx';
import type { Role } from '../../domain/accounts/roles.ts';
import { useAuth } from '../auth/auth-provider.tsx';
import { findOwner } from './device/counter-db.ts';

/** Without a network the client cannot read who is signed in, so the counter continues for the user whose orders are on the device. */
export function OfflineUser({ role }: { role: Role }): ReactNode {
  const { becomeUser } = useAuth();
  const { id } = useParams<{ id: string }>();
  const [isNobody, setIsNobody] = useState(false);
  useEffect(() => {
    findOwner(Number(id)).then(
      (owner) => (owner?.role === role ? becomeUser(owner) : setIsNobody(true)),
      () => setIsNobody(true),
    );
  }, [id, role, becomeUser]);
  return isNobody ? <Redirect to="/auth" replace /> : <PageSpinner />;
}

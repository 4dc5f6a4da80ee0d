import clsx from 'clsx';
import type { ReactNode } from 'react';
import { useRead } from '../../../client/api/use-calls.ts';
import { readOrganization } from '../../organization/contract.ts';
import { NO_POSTAL_ADDRESS } from '../texts.ts';

/** A hint that bulk mail needs the sender's postal address (contract §8). Shown while the address is missing. */
export function PostalAddressHint({ className }: { className?: string }): ReactNode {
  const { data } = useRead(readOrganization);
  return data?.address === null && <p className={clsx('text-s text-ink-soft', className)}>{NO_POSTAL_ADDRESS}</p>;
}

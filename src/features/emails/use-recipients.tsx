import { useMemo } from 'react';
import { useRead } from '../../client/use-calls.ts';
import { listUsers } from '../users/contract.ts';
import { listContactsWithHasOrder } from './contract.ts';

export interface Recipient {
  readonly userId: number;
  readonly email: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  /** Absent outside of a distribution. */
  readonly hasOrder?: boolean;
}

export type Group = 'all' | 'with' | 'without';
/** A group, whoever is in it when it is sent, or people picked one by one. */
export type Choice = Group | ReadonlySet<number>;

export interface Recipients {
  people: readonly Recipient[] | undefined;
  error: Error | null;
  retry: () => void;
}

/** Who can be written to: the customers who can sign in. */
export function useRecipients(distributionId: number | undefined): Recipients {
  const isOfDistribution = distributionId !== undefined;
  const contacts = useRead(listContactsWithHasOrder, { id: distributionId ?? 0 }, { enabled: isOfDistribution });
  const customers = useRead(listUsers, { role: 'customer' }, { enabled: !isOfDistribution });
  const everyCustomer = useMemo(() => customers.data?.filter(({ isDisabled }) => !isDisabled), [customers.data]);
  const { error, refetch } = isOfDistribution ? contacts : customers;
  return { people: isOfDistribution ? contacts.data : everyCustomer, error, retry: () => void refetch() };
}

export function isChosen(choice: Choice, { userId, hasOrder }: Recipient): boolean {
  if (typeof choice === 'object') return choice.has(userId);
  return choice === 'all' || hasOrder === (choice === 'with');
}

export const chosenOf = (choice: Choice, people: readonly Recipient[]): Recipient[] => people.filter((person) => isChosen(choice, person));

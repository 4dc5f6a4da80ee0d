import { useMemo } from 'react';
import { useRead } from '../../../client/api/use-calls.ts';
import { readCustomerReport, type CustomerReportRow } from '../../reports/contract.ts';
import { listUsers, type UserItem } from '../../users/contract.ts';
import { listContactsWithHasOrder, type ContactWithHasOrder } from '../contract.ts';

/** `hasOrder` tells whether the customer has an order in the distribution; it is absent if the e-mail belongs to no distribution. */
export interface Recipient extends Omit<ContactWithHasOrder, 'hasOrder'>, Partial<Pick<ContactWithHasOrder, 'hasOrder'>> {
  /** Whether the customer's order has a balance due. */
  readonly owes?: boolean;
}

export const GROUPS = ['all', 'with', 'without', 'unpaid'] as const;
export type Group = (typeof GROUPS)[number];
/** A group, whose members are found in the newest read of the recipients, or the ids of individually chosen people. */
export type Choice = Group | ReadonlySet<number>;

export interface Recipients {
  people: readonly Recipient[] | undefined;
  error: Error | null;
  /** Reads the recipients again, and returns them; the earlier ones if the read fails. */
  refetch: () => Promise<readonly Recipient[] | undefined>;
}

/** Returns the customers who can get the e-mail: those that are enabled and have an e-mail address. */
export function useRecipients(distributionId: number | undefined): Recipients {
  const isOfDistribution = distributionId !== undefined;
  const params = { id: distributionId ?? 0 };
  const contacts = useRead(listContactsWithHasOrder, params, { enabled: isOfDistribution });
  const report = useRead(readCustomerReport, params, { enabled: isOfDistribution });
  const customers = useRead(listUsers, { role: 'customer' }, { enabled: !isOfDistribution });
  const people = useMemo(
    () => (isOfDistribution ? withDebts(contacts.data, report.data) : reachable(customers.data)),
    [isOfDistribution, contacts.data, report.data, customers.data],
  );
  return {
    people,
    error: (isOfDistribution ? [contacts, report] : [customers]).find(({ error }) => error)?.error ?? null,
    refetch: async () => {
      if (!isOfDistribution) return reachable((await customers.refetch()).data);
      const [contactsNow, reportNow] = await Promise.all([contacts.refetch(), report.refetch()]);
      return withDebts(contactsNow.data, reportNow.data);
    },
  };
}

const reachable = (customers: readonly UserItem[] | undefined): Recipient[] | undefined =>
  customers?.flatMap((user) => (user.isDisabled || user.email === null ? [] : [{ ...user, email: user.email }]));

function withDebts(
  contacts: readonly ContactWithHasOrder[] | undefined,
  report: readonly CustomerReportRow[] | undefined,
): Recipient[] | undefined {
  if (!contacts || !report) return undefined;
  const debtors = new Set(report.filter(({ balance }) => balance > 0).map((row) => row.customer_id));
  return contacts.map((contact) => ({ ...contact, owes: debtors.has(contact.userId) }));
}

function isChosen(choice: Choice, { userId, hasOrder, owes }: Recipient): boolean {
  if (typeof choice === 'object') return choice.has(userId);
  if (choice === 'unpaid') return owes === true;
  return choice === 'all' || hasOrder === (choice === 'with');
}

export const chosenOf = (choice: Choice, people: readonly Recipient[]): Recipient[] => people.filter((person) => isChosen(choice, person));

// Undo at the counter (contract §14).
import type { Role } from '../../../domain/accounts/roles.ts';
import { toast } from '../../../client/toasts/toast.ts';
import { CONFIRMATION_STAYS, HAND_OVER_UNDONE, PAYMENT_STAYS, REFUSED_PAYMENT_STAYS, REMOVAL_STAYS } from '../texts.ts';
import { readWrites, withdrawWrite } from './counter-db.ts';
import { isHandOver, isPaymentRefused, type Step } from './counter-view.ts';
import { inverseOf, type Write } from './writes.ts';

export interface Withdrawal {
  /** The writes that undo the sent writes of the step, the last one first. */
  readonly inverses: readonly Write[];
  /** Whether the whole step is undone. If not, a notification has said what stays. */
  readonly isComplete: boolean;
}

/** Removes the writes of the step that were not sent, and returns the writes that undo the others. */
export async function withdrawStep(step: Step, role: Role): Promise<Withdrawal> {
  const inverses: Write[] = [];
  let isComplete = true;
  const keep = (content: { title: string; description?: string | undefined }): void => {
    isComplete = false;
    toast({ ...content, variant: 'destructive', actionKey: 'counter-undo' });
  };
  // Another station has probably served the family. Undo would take back its hand-over, so that the goods could be collected twice.
  if (isPaymentRefused(step, await readWrites())) {
    keep(REFUSED_PAYMENT_STAYS);
    return { inverses, isComplete };
  }
  for (const made of step.writes.toReversed()) {
    if (await withdrawWrite(made.key)) continue;
    const inverse = inverseOf(made);
    // Agents cannot reverse payments.
    if (inverse?.kind === 'reversal' && role !== 'distributor') {
      const description = isHandOver(step) ? HAND_OVER_UNDONE : undefined;
      keep({ title: PAYMENT_STAYS, description });
    } else if (inverse) inverses.push(inverse);
    // The server cannot make a weight unconfirmed again.
    else if (made.write.kind === 'weight') keep(CONFIRMATION_STAYS);
    else if (made.write.kind === 'remove-weight') keep(REMOVAL_STAYS);
  }
  return { inverses, isComplete };
}

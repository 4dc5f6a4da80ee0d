// Undo at the counter (contract §14).
import type { Role } from '../../../domain/accounts/roles.ts';
import { toast } from '../../../client/toasts/toast.ts';
import { CONFIRMATION_STAYS, HAND_OVER_UNDONE, PAYMENT_STAYS } from '../texts.ts';
import { withdrawWrite } from './counter-db.ts';
import { isHandOver, type Step } from './counter-view.ts';
import { inverseOf, type Write } from './writes.ts';

/** Removes the writes of the step that were not sent. Returns the writes that undo the sent ones, beginning with the last one. */
export async function withdrawStep(step: Step, role: Role): Promise<Write[]> {
  const inverses: Write[] = [];
  for (const made of step.writes.toReversed()) {
    if (await withdrawWrite(made.key)) continue;
    const inverse = inverseOf(made);
    // Agents cannot reverse payments.
    if (inverse?.kind === 'reversal' && role !== 'distributor') {
      const description = isHandOver(step) ? HAND_OVER_UNDONE : undefined;
      toast({ title: PAYMENT_STAYS, description, variant: 'destructive', actionKey: 'counter-undo' });
    } else if (inverse) inverses.push(inverse);
    // The server cannot make a weight unconfirmed again.
    else if (made.write.kind === 'weight') toast({ ...CONFIRMATION_STAYS, variant: 'destructive', actionKey: 'counter-undo' });
  }
  return inverses;
}

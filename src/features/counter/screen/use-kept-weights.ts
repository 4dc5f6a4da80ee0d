import { useMemo, useState } from 'react';
import { draftOf } from '../../../client/storage/draft.ts';
import { useKeptDraft } from '../../../client/storage/use-kept-draft.ts';
import { useUser } from '../../auth/auth-provider.tsx';
import { useTypedWeights, type TypedWeights } from '../../actuals/weighing/use-weighing.ts';
import { restorable, type Typed, type Units } from '../../actuals/weighing/weights.ts';

/**
 * Keeps the typed weights of an order. A weight that the user still has to confirm is not in the queue yet, so it is stored as a draft on
 * the device. After a reload, or when the order is opened again, its field shows the weight and asks for the confirmation again. `kept` are
 * the weights of the draft.
 */
export function useKeptWeights(orderId: number, units: Units): { weights: TypedWeights; kept: Typed } {
  const { id: userId } = useUser();
  const draft = useMemo(() => draftOf<unknown>(userId, `counter-${orderId}`), [userId, orderId]);
  const [kept] = useState(() => restorable(draft.read(), units));
  const weights = useTypedWeights(units, kept);
  const { undecided } = weights;
  useKeptDraft(draft, Object.keys(undecided).length > 0 ? undecided : null);
  return { weights, kept };
}

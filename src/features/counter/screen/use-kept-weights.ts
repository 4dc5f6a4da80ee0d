import { useMemo, useState } from 'react';
import { draftOf } from '../../../client/storage/draft.ts';
import { useKeptDraft } from '../../../client/storage/use-kept-draft.ts';
import { useUser } from '../../auth/auth-provider.tsx';
import { useTypedWeights, type TypedWeights } from '../../actuals/weighing/use-weighing.ts';
import { restorable, type Units } from '../../actuals/weighing/weights.ts';

/**
 * Keeps the typed weights of an order. A weight that the user has typed, but not entered, or still has to confirm, is not in the queue yet, so
 * it is stored as a draft on the device. After a reload, or when the order is opened again, its field shows the weight and asks about it.
 */
export function useKeptWeights(orderId: number, units: Units): TypedWeights {
  const { id: userId } = useUser();
  const draft = useMemo(() => draftOf<unknown>(userId, `counter-${orderId}`), [userId, orderId]);
  const [kept] = useState(() => restorable(draft.read(), units));
  const weights = useTypedWeights(units, kept);
  const { typed } = weights;
  useKeptDraft(draft, Object.keys(typed).length > 0 ? typed : null);
  return weights;
}

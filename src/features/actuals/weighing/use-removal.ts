import { useCallback } from 'react';
import { toast } from '../../../client/toasts/toast.ts';
import { useSave } from '../../../client/api/use-calls.ts';
import { removeWeight } from '../contract.ts';
import type { Unit } from './weights.ts';

/** Returns a function that sets a unit back to not weighed immediately. Weights typed into other fields stay. */
export function useRemoval(orderId: number): (unit: Unit) => void {
  const { save } = useSave(removeWeight, { refresh: 'always', onSaved: ({ message }) => void toast({ title: message }) });
  return useCallback(
    ({ index, recorded, product: { orderProductId } }) => {
      const was = recorded ? { was: recorded.actualQuantity } : {};
      void save({ params: { orderId }, body: { orderProductId, index, ...was } });
    },
    [save, orderId],
  );
}

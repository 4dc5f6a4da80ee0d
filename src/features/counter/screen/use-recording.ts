import { useCallback, type Dispatch } from 'react';
import { parseUnitKey } from '../../../domain/weights/actuals.ts';
import type { TypedWeights } from '../../actuals/weighing/use-weighing.ts';
import type { WeighingAction } from '../../actuals/weighing/weighing-state.ts';
import type { Write } from '../device/writes.ts';

/** Records each weight as soon as the user leaves its field, provided the weight is plausible or the user has confirmed it. */
export function useRecording({ dispatch, confirmedOf }: TypedWeights, write: (made: readonly Write[]) => void): Dispatch<WeighingAction> {
  return useCallback(
    (action) => {
      dispatch(action);
      if (action.act !== 'check' && action.act !== 'accept') return;
      for (const unit of action.act === 'check' ? action.units : [action.unit]) {
        const confirmed = confirmedOf(unit);
        const parsed = parseUnitKey(unit.key);
        if (!confirmed || !parsed) continue;
        write([{ kind: 'weight', ...parsed, ...confirmed, wasByCustomer: unit.isUnconfirmed }]);
        dispatch({ act: 'recorded', unit });
      }
    },
    [dispatch, confirmedOf, write],
  );
}

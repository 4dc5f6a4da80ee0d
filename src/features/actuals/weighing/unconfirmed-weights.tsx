import type { ReactNode } from 'react';
import { Notice } from '../../../client/ui/feedback/notice.tsx';
import { Button } from '../../../client/ui/forms/button.tsx';
import { isImplausible } from '../../../domain/weights/plausibility.ts';
import { unitKey } from '../../../domain/weights/actuals.ts';
import type { OrderForActuals } from '../contract.ts';
import { CONFIRM_MEANS, confirmAllText, enteredByFamilyText, unusualRemainText } from '../texts.ts';
import type { TypedWeights } from './use-weighing.ts';
import { recordedText, type Units } from './weights.ts';

interface UnconfirmedWeightsProps {
  products: OrderForActuals['products'];
  units: Units;
  weighing: Pick<TypedWeights, 'typed' | 'dispatch'>;
}

/**
 * Shows staff how many weights the customer has recorded that staff have not confirmed. A button confirms all of these weights except the
 * unusual ones, which staff confirm at their fields (contract §6).
 */
export function UnconfirmedWeights({ products, units, weighing: { typed, dispatch } }: UnconfirmedWeightsProps): ReactNode {
  const unconfirmed = products
    .flatMap(({ orderProductId, actuals }) => actuals.flatMap(({ sortOrder }) => units.find(unitKey(orderProductId, sortOrder)) ?? []))
    .filter((unit) => unit.isUnconfirmed && typed[unit.key] === undefined);
  if (unconfirmed.length === 0) return null;
  const usual = unconfirmed.filter(({ recorded, product }) => recorded && !isImplausible(recorded.actualQuantity, product));
  const confirm = (): void => {
    for (const unit of usual) {
      dispatch({ act: 'type', unit, text: recordedText(unit) });
      dispatch({ act: 'accept', unit });
    }
  };
  return (
    <Notice title={enteredByFamilyText(unconfirmed.length)}>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p className="text-s">
          {CONFIRM_MEANS}
          {usual.length < unconfirmed.length && ` ${unusualRemainText(unconfirmed.length - usual.length)}`}
        </p>
        {usual.length > 0 && (
          <Button size="s" onClick={confirm}>
            {confirmAllText(usual.length)}
          </Button>
        )}
      </div>
    </Notice>
  );
}

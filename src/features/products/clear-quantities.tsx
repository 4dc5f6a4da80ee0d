import { useCallback, type ReactNode } from 'react';
import { toast } from '../../client/toast.tsx';
import { useSave } from '../../client/use-calls.ts';
import { RepriceDialog, useRepriceQuestion } from '../catalogue/reprice-question.tsx';
import { clearQuantities, NOTHING_CLEARED, type Product } from './contract.ts';
import { CLEAR_QUANTITIES, clearingText, clearQuestion, NO_ORDERED_UNITS, NO_ORDERS } from './texts.ts';

const sayNothingOrdered = (): void => void toast({ title: NO_ORDERS, description: NO_ORDERED_UNITS });

/** Clears what is ordered of a product: judged on what is ordered now, and asked before (spec §2). */
export function useClearing(distributionId: number): { clear: (product: Product) => Promise<void>; dialog: ReactNode } {
  const question = useRepriceQuestion(distributionId);
  const { foresee, ask } = question;
  const { save } = useSave(clearQuantities);
  const clear = useCallback(
    async ({ id: productId, product_code, name }: Product): Promise<void> => {
      const repriced = await foresee({ cleared: [productId] });
      if (repriced === null) return;
      if (repriced.units === 0) {
        sayNothingOrdered();
        return;
      }
      const isYes = await ask(
        {
          title: clearQuestion(name),
          confirmLabel: CLEAR_QUANTITIES,
          isDanger: true,
          text: (now) => <p>{clearingText(name, now)}</p>,
        },
        repriced,
      );
      if (!isYes) return;
      const cleared = await save({ params: { id: distributionId }, body: { productId, product_code } });
      if (!cleared.ok) return;
      // Somebody else was faster.
      if (cleared.reply.message === NOTHING_CLEARED) sayNothingOrdered();
      else toast({ title: cleared.reply.message });
    },
    [foresee, ask, save, distributionId],
  );
  return { clear, dialog: <RepriceDialog question={question} /> };
}

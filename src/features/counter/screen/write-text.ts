// Describes a queued write as UI text.
import { dollars } from '../../../domain/money.ts';
import { withUom } from '../../actuals/texts.ts';
import { quantityText } from '../../actuals/weighing/weights.ts';
import { METHOD_LABELS } from '../../payments/texts.ts';
import type { CounterOrder } from '../contract.ts';
import type { Write } from '../device/writes.ts';
import { NOT_PICKED_UP, paymentStep, PICKED_UP, removedStep, reversalStep, unitText, weightStep } from '../texts.ts';
import type { Products } from './account.ts';

/** 'Brisket 2/3' */
function unitIn(order: CounterOrder | undefined, products: Products | null, write: { orderProductId: number; index: number }): string {
  const line = order?.lines.find(({ orderProductId }) => orderProductId === write.orderProductId);
  const product = line && products?.byId.get(line.productId);
  return unitText(product?.name ?? '', write.index, line?.quantity ?? 0);
}

export function writeText(write: Write, order: CounterOrder | undefined, products: Products | null): string {
  switch (write.kind) {
    case 'weight': {
      const line = order?.lines.find(({ orderProductId }) => orderProductId === write.orderProductId);
      const uom = (line && products?.byId.get(line.productId)?.uom) ?? null;
      return weightStep(unitIn(order, products, write), withUom(quantityText(write.weight), uom));
    }
    case 'remove-weight':
      return removedStep(unitIn(order, products, write));
    case 'payment':
      return paymentStep(dollars(write.amount), METHOD_LABELS[write.paymentMethod]);
    case 'reversal':
      return reversalStep(dollars(write.amount));
    case 'picked-up':
      return write.pickedUp ? PICKED_UP : NOT_PICKED_UP;
  }
}

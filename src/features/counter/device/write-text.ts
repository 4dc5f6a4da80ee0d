// Describes a write of the counter as UI text, without the name of a person.
import { withDetail } from '../../../domain/product-names.ts';
import { dollars } from '../../../domain/money.ts';
import { receivedAmount } from '../../../domain/payment.ts';
import { withUom } from '../../actuals/texts.ts';
import { quantityText } from '../../actuals/weighing/weights.ts';
import { METHOD_LABELS } from '../../payments/texts.ts';
import type { CounterOrder, CounterProduct } from '../contract.ts';
import { NOT_PICKED_UP, paymentStep, PICKED_UP, removedStep, reversalStep, unitText, unknownUnitText, weightStep } from '../texts.ts';
import type { Write } from './writes.ts';

type UnitWrite = Extract<Write, { readonly orderProductId: number }>;

interface Unit {
  /** For example 'Brisket 2/3'. */
  readonly name: string;
  readonly uom: string | null;
}

function unitOf({ orderProductId, index }: UnitWrite, order: CounterOrder | undefined, products: readonly CounterProduct[]): Unit {
  const line = order?.lines.find((each) => each.orderProductId === orderProductId);
  const product = line && products.find(({ id }) => id === line.productId);
  if (!product) return { name: unknownUnitText(index), uom: null };
  return { name: unitText(withDetail(product.name, product.nameDetail), index, line.quantity), uom: product.uom };
}

/** Returns the text of a write. A unit is named by its product if the order and the product are known. */
export function writeText(write: Write, order?: CounterOrder, products: readonly CounterProduct[] = []): string {
  switch (write.kind) {
    case 'weight': {
      const { name, uom } = unitOf(write, order, products);
      return weightStep(name, withUom(quantityText(write.weight), uom));
    }
    case 'remove-weight':
      return removedStep(unitOf(write, order, products).name);
    case 'payment':
      return paymentStep(dollars(receivedAmount(write)), METHOD_LABELS[write.paymentMethod]);
    case 'reversal':
      return reversalStep(dollars(receivedAmount(write)));
    case 'picked-up':
      return write.pickedUp ? PICKED_UP : NOT_PICKED_UP;
  }
}

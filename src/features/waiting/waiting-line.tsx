// On the order page, this line shows the customer's place on the waiting list of a product (contract §12).
import { useState, type ReactNode } from 'react';
import { toast } from '../../client/toasts/toast.ts';
import { useSave } from '../../client/api/use-calls.ts';
import { Button } from '../../client/ui/forms/button.tsx';
import { QuantityInput } from '../../client/ui/forms/quantity-input.tsx';
import { Dialog, DialogCancel, DialogFooter } from '../../client/ui/overlays/dialog.tsx';
import { clampQuantity } from '../../domain/order.ts';
import { zonedTime } from '../../shared/zoned-time.ts';
import type { Product } from '../products/contract.ts';
import { joinWaiting, leaveWaiting, type WaitingEntry } from './contract.ts';
import { heldText, JOIN, JOIN_HINT, JOINED, joinText, LEAVE, leaveText, waitingText } from './texts.ts';

export type WaitingProduct = Pick<Product, 'id' | 'distributionId' | 'max_order_qty'> & {
  /** The name, with the part of the description that distinguishes products of the same name. */
  readonly label: string;
};

interface WaitingLineProps {
  product: WaitingProduct;
  /** The customer's entry on the waiting list of the product. Null when the customer has no entry. */
  entry: WaitingEntry | null;
  timeZone: string | null;
}

export function WaitingLine({ product, entry, timeZone }: WaitingLineProps): ReactNode {
  const { save: leave, isSaving } = useSave(leaveWaiting, { refresh: 'always' });
  const [isJoining, setIsJoining] = useState(false);
  if (!entry)
    return (
      <>
        <LinkButton name={joinText(product.label)} onAct={() => setIsJoining(true)}>
          {JOIN}
        </LinkButton>
        {isJoining && <JoinDialog product={product} onClose={() => setIsJoining(false)} />}
      </>
    );
  return (
    <p>
      <span className={entry.heldUntil === null ? undefined : 'font-semibold text-good'}>
        {entry.heldUntil === null ? waitingText(entry.quantity) : heldText(entry.heldQuantity, zonedTime(entry.heldUntil, timeZone))}
      </span>{' '}
      <LinkButton
        name={leaveText(product.label)}
        onAct={() => isSaving || void leave({ params: { id: product.distributionId, productId: product.id } })}
      >
        {LEAVE}
      </LinkButton>
    </p>
  );
}

function LinkButton({ name, onAct, children }: { name: string; onAct: () => void; children: string }): ReactNode {
  return (
    <button type="button" aria-label={name} onClick={onAct} className="link inline-flex min-h-11 items-center dense:min-h-6">
      {children}
    </button>
  );
}

function JoinDialog({ product, onClose }: { product: WaitingProduct; onClose: () => void }): ReactNode {
  const [quantity, setQuantity] = useState(1);
  const { save, isSaving } = useSave(joinWaiting, { refresh: 'always' });
  const join = async (): Promise<void> => {
    const { ok } = await save({ params: { id: product.distributionId }, body: { productId: product.id, quantity } });
    if (!ok) return;
    toast({ title: JOINED });
    onClose();
  };
  return (
    <Dialog onClose={onClose} title={joinText(product.label)} description={JOIN_HINT}>
      <QuantityInput
        label={product.label}
        value={quantity}
        max={product.max_order_qty}
        onText={(text) => setQuantity(clampQuantity(text, product.max_order_qty))}
      />
      <DialogFooter>
        <DialogCancel />
        <Button variant="main" disabled={quantity === 0} isLoading={isSaving} onClick={() => void join()}>
          {JOIN}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

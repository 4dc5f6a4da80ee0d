import { useEffect, useRef, type ReactNode } from 'react';
import { Button } from '../../client/ui/button.tsx';
import { Segments } from '../../client/ui/choices.tsx';
import type { Quantities } from '../../domain/order.ts';
import type { Product } from '../products/contract.ts';
import type { Change, Collision } from './order-changes.tsx';
import { draftText, restoreText } from './texts.ts';

export function Notice({ title, isNew = false, children }: { title: string; isNew?: boolean; children: ReactNode }): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isNew) heading.current?.focus();
  }, [isNew]);
  return (
    <section aria-label={title} className="mb-5 rounded-card border border-wait-fill bg-wait-soft p-4">
      <h2 ref={heading} tabIndex={-1} className="font-sans text-m font-semibold outline-none">
        {title}
      </h2>
      {children}
    </section>
  );
}

export interface ClosedNoticeProps {
  /** Of the distribution. */
  name: string;
  changes: readonly Change[];
  products: readonly Product[];
}

/** What to do when ordering is closed: what was typed stays, and can go to the distributor in a mail (design §2.1). */
export function ClosedNotice({ name, changes, products }: ClosedNoticeProps): ReactNode {
  const names = new Map(products.map((product) => [product.id, product.name]));
  const lines = changes.map(({ productId, from, to }) => `${names.get(productId) ?? ''}: ${to} instead of ${from}`);
  const mail = `mailto:?subject=${encodeURIComponent(`My order: ${name}`)}&body=${encodeURIComponent(lines.join('\r\n'))}`;
  return (
    <Notice title="This distribution no longer takes orders">
      {changes.length === 0 ? (
        <p className="text-s">Your distributor can still change an order: ask for what you need.</p>
      ) : (
        <p className="text-s">
          What you typed stays on this page but cannot be saved. Your distributor can still change an order:{' '}
          <a href={mail} className="link underline underline-offset-3">
            write your changes in an e-mail
          </a>
          .
        </p>
      )}
    </Notice>
  );
}

export function DraftOffer({ count, onRestore, onDiscard }: { count: number; onRestore: () => void; onDiscard: () => void }): ReactNode {
  return (
    <Notice title={restoreText(count)}>
      <p className="text-s">{draftText(count)}</p>
      <div className="mt-3 flex gap-2.5">
        <Button onClick={onRestore}>Restore</Button>
        <Button variant="quiet" onClick={onDiscard}>
          Discard
        </Button>
      </div>
    </Notice>
  );
}

export interface CollisionNoticeProps {
  collisions: readonly Collision[];
  products: readonly Product[];
  quantities: Quantities;
  onChoose: (productId: number, quantity: number) => void;
}

/** The order was changed elsewhere: both values per line, and one click to take either (design §2.1). */
export function CollisionNotice({ collisions, products, quantities, onChoose }: CollisionNoticeProps): ReactNode {
  const byId = new Map(products.map((product) => [product.id, product]));
  const sideOf = ({ productId, mine, theirs }: Collision): 'mine' | 'theirs' | 'neither' => {
    const quantity = quantities.get(productId) ?? 0;
    return quantity === mine ? 'mine' : quantity === theirs ? 'theirs' : 'neither';
  };
  return (
    <Notice title="This order was changed elsewhere" isNew>
      <p className="text-s">
        {collisions.length === 0
          ? 'None of the lines you changed were touched. Everything you typed is still here: save again.'
          : 'Choose for each of these lines, then save again. Everything else you typed is still here.'}
      </p>
      <ul className="mt-1">
        {collisions.map((collision) => (
          <li key={collision.productId} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1.5 pt-2.5">
            <span className="font-semibold">{byId.get(collision.productId)?.name}</span>
            <Segments<'mine' | 'theirs' | 'neither'>
              label={byId.get(collision.productId)?.name ?? ''}
              options={[
                { value: 'mine', label: 'Keep mine', count: collision.mine },
                { value: 'theirs', label: 'Take theirs', count: collision.theirs },
              ]}
              value={sideOf(collision)}
              onValue={(side) => onChoose(collision.productId, side === 'mine' ? collision.mine : collision.theirs)}
            />
          </li>
        ))}
      </ul>
    </Notice>
  );
}

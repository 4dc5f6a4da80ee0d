import { useId, useRef, useState, type ReactNode } from 'react';
import type { Product } from './contract.ts';
import { pictureOf, pictureTextOf } from './pictures.ts';

const MARGIN = 12;

/** A product's name; a click shows its picture, found by product code (spec §2 order page). */
export function ProductName({ product }: { product: Pick<Product, 'name' | 'product_code'> }): ReactNode {
  const source = pictureOf(product.product_code);
  if (source === null) return product.name;
  return <PictureButton name={product.name} source={source} text={pictureTextOf(product.product_code) ?? ''} />;
}

function PictureButton({ name, source, text }: { name: string; source: string; text: string }): ReactNode {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const popover = useRef<HTMLElement>(null);
  const [isOpen, setIsOpen] = useState(false);

  const place = (): void => {
    if (!button.current || !popover.current) return;
    const { top, bottom, left } = button.current.getBoundingClientRect();
    const { style, offsetHeight, offsetWidth } = popover.current;
    const fitsBelow = bottom + offsetHeight + MARGIN < innerHeight;
    style.top = `${fitsBelow ? bottom + 6 : Math.max(MARGIN, top - offsetHeight - 6)}px`;
    style.left = `${Math.max(MARGIN, Math.min(left, document.documentElement.clientWidth - offsetWidth - MARGIN))}px`;
  };

  return (
    <>
      <button
        ref={button}
        type="button"
        popoverTarget={id}
        className="rounded-ctl text-left underline decoration-line-strong underline-offset-3 hover:decoration-ink"
      >
        {name}
      </button>
      <figure
        ref={popover}
        id={id}
        popover="auto"
        onBeforeToggle={({ newState }) => setIsOpen(newState === 'open')}
        onToggle={({ newState }) => newState === 'open' && place()}
        className="fixed inset-auto m-0 w-64 max-w-[calc(100vw-1.5rem)] rounded-card border border-line bg-card p-3 text-ink shadow-float open:animate-fade"
      >
        {isOpen && (
          <>
            <img src={source} alt={text} className="aspect-[4/3] w-full rounded-ctl bg-sunk object-contain" />
            <figcaption className="pt-2 text-s font-semibold">{name}</figcaption>
          </>
        )}
      </figure>
    </>
  );
}

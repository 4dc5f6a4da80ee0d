import { useId, useRef, useState, type ReactNode } from 'react';
import { useDismissOnFocusOut } from '../../../client/focus/use-dismiss-on-focus-out.ts';
import type { Product } from '../contract.ts';
import { pictureOfText } from '../texts.ts';
import { usePicture } from './distributor-pictures.tsx';

const MARGIN = 12;
const GAP = 6;

/** Renders a product's name. If its code has a picture, a click on the name shows the picture (spec §2 order page). */
export function ProductName({ product }: { product: Pick<Product, 'name' | 'product_code'> }): ReactNode {
  const picture = usePicture(product);
  return picture === undefined ? product.name : <PictureButton name={product.name} picture={picture} />;
}

function PictureButton({ name, picture }: { name: string; picture: string }): ReactNode {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const popover = useRef<HTMLElement>(null);
  const [isOpen, setIsOpen] = useState(false);

  useDismissOnFocusOut(isOpen, [button, popover], () => popover.current?.hidePopover());

  const place = (): void => {
    if (!button.current || !popover.current) return;
    const { top, bottom, left } = button.current.getBoundingClientRect();
    const { style, offsetHeight, offsetWidth } = popover.current;
    // The picture is shown above the row if there is room, because users read the list from top to bottom.
    const above = top - offsetHeight - GAP;
    style.top = `${above >= MARGIN ? above : Math.min(bottom + GAP, Math.max(MARGIN, innerHeight - offsetHeight - MARGIN))}px`;
    style.left = `${Math.max(MARGIN, Math.min(left, document.documentElement.clientWidth - offsetWidth - MARGIN))}px`;
  };

  return (
    <>
      <button
        ref={button}
        type="button"
        popoverTarget={id}
        className="-my-3 rounded-ctl py-3 text-start underline decoration-line-strong underline-offset-3 hover:decoration-ink"
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
            <img src={picture} alt={pictureOfText(name)} className="aspect-[4/3] w-full rounded-ctl bg-sunk object-contain" />
            <figcaption className="pt-2 text-s font-semibold">{name}</figcaption>
          </>
        )}
      </figure>
    </>
  );
}

import { EllipsisVertical, PackageMinus, PackageX, RotateCcw, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '../../../client/ui/forms/button.tsx';
import type { MenuItem } from '../../../client/ui/overlays/menu-item.ts';
import { Menu } from '../../../client/ui/overlays/menu.tsx';
import { SHORT_DELIVERY } from '../../short-delivery/texts.ts';
import type { Product } from '../contract.ts';
import { DELETE_PRODUCT, moreActionsText, NOT_OFFERED, OFFER_AGAIN } from '../texts.ts';

export interface ProductMenuActions {
  onShortDelivery: (product: Product) => void;
  /** Withdraws the product, or offers it again. */
  onOffer: (product: Product) => void;
  onDelete: (product: Product) => void;
}

/** The less frequent actions of a product. */
export function ProductMenu({ product, onShortDelivery, onOffer, onDelete }: ProductMenuActions & { product: Product }): ReactNode {
  const isOrdered = (product.total_ordered ?? 0) > 0;
  const items: (MenuItem | false)[] = [
    isOrdered && { label: SHORT_DELIVERY, icon: <PackageMinus aria-hidden />, onSelect: () => onShortDelivery(product) },
    product.notOffered === true
      ? { label: OFFER_AGAIN, icon: <RotateCcw aria-hidden />, onSelect: () => onOffer(product) }
      : { label: NOT_OFFERED, icon: <PackageX aria-hidden />, onSelect: () => onOffer(product) },
    !isOrdered && { label: DELETE_PRODUCT, icon: <Trash2 aria-hidden />, isDanger: true, onSelect: () => onDelete(product) },
  ];
  return (
    <Menu
      trigger={<IconButton label={moreActionsText(product.name)} icon={<EllipsisVertical aria-hidden />} className="md:-me-3" />}
      items={items.filter((item) => item !== false)}
    />
  );
}

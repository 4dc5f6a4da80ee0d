import { EllipsisVertical, Eraser, PackageMinus, PackageX, Pencil, RotateCcw, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '../../../client/ui/forms/button.tsx';
import type { MenuItem } from '../../../client/ui/overlays/menu-item.ts';
import { Menu } from '../../../client/ui/overlays/menu.tsx';
import { SHORT_DELIVERY } from '../../short-delivery/texts.ts';
import type { Product } from '../contract.ts';
import { CLEAR_QUANTITIES, DELETE_PRODUCT, EDIT_PRODUCT, moreActionsText, NOT_OFFERED, OFFER_AGAIN } from '../texts.ts';

interface ProductMenuActions {
  onShortDelivery: (product: Product) => void;
  /** Called to withdraw the product, or to offer a withdrawn product again. */
  onOffer: (product: Product) => void;
  onDelete: (product: Product) => void;
}

export interface ProductActions extends ProductMenuActions {
  onEdit: (product: Product) => void;
  onClear: (product: Product) => void;
}

/** `onEdit` and `onClear` are present if the row has no buttons for these two actions. The menu then offers them. */
interface ProductMenuProps extends ProductMenuActions, Partial<Pick<ProductActions, 'onEdit' | 'onClear'>> {
  product: Product;
  tabIndex?: number;
}

export function ProductMenu({ product, onShortDelivery, onOffer, onDelete, onEdit, onClear, tabIndex }: ProductMenuProps): ReactNode {
  const isOrdered = (product.total_ordered ?? 0) > 0;
  const items: (MenuItem | false)[] = [
    onEdit !== undefined && { label: EDIT_PRODUCT, icon: <Pencil aria-hidden />, onSelect: () => onEdit(product) },
    onClear !== undefined && { label: CLEAR_QUANTITIES, icon: <Eraser aria-hidden />, onSelect: () => onClear(product) },
    isOrdered && { label: SHORT_DELIVERY, icon: <PackageMinus aria-hidden />, onSelect: () => onShortDelivery(product) },
    product.notOffered === true
      ? { label: OFFER_AGAIN, icon: <RotateCcw aria-hidden />, onSelect: () => onOffer(product) }
      : { label: NOT_OFFERED, icon: <PackageX aria-hidden />, onSelect: () => onOffer(product) },
    !isOrdered && { label: DELETE_PRODUCT, icon: <Trash2 aria-hidden />, isDanger: true, onSelect: () => onDelete(product) },
  ];
  return (
    <Menu
      trigger={
        <IconButton
          label={moreActionsText(product.name)}
          icon={<EllipsisVertical aria-hidden />}
          className="md:-me-3"
          tabIndex={tabIndex}
        />
      }
      items={items.filter((item) => item !== false)}
    />
  );
}

import { EllipsisVertical, PackageMinus } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '../../../client/ui/forms/button.tsx';
import type { MenuItem } from '../../../client/ui/overlays/menu-item.ts';
import { Menu } from '../../../client/ui/overlays/menu.tsx';
import { SHORT_DELIVERY } from '../../short-delivery/texts.ts';
import type { Product } from '../contract.ts';
import { moreActionsText } from '../texts.ts';

export interface ProductMenuActions {
  onShortDelivery: (product: Product) => void;
}

/** The rarer actions of a product; hidden without any. */
export function ProductMenu({ product, onShortDelivery }: ProductMenuActions & { product: Product }): ReactNode {
  const items: MenuItem[] =
    (product.total_ordered ?? 0) > 0
      ? [{ label: SHORT_DELIVERY, icon: <PackageMinus aria-hidden />, onSelect: () => onShortDelivery(product) }]
      : [];
  if (items.length === 0) return null;
  return (
    <Menu
      trigger={<IconButton label={moreActionsText(product.name)} icon={<EllipsisVertical aria-hidden />} className="md:-me-3" />}
      items={items}
    />
  );
}

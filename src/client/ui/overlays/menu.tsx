import { DropdownMenu } from 'radix-ui';
import { useRef } from 'react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { MENU_CLASS, menuItemClass } from './menu-item.ts';
import type { MenuItem } from './menu-item.ts';

interface MenuProps {
  /** The button that opens the menu; must be exactly one button element. */
  trigger: ReactNode;
  items: readonly MenuItem[];
}

export function Menu({ trigger, items }: MenuProps): ReactNode {
  const chosen = useRef<MenuItem | null>(null);
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Content
        align="end"
        sideOffset={6}
        collisionPadding={12}
        className={`z-50 animate-fade ${MENU_CLASS}`}
        onCloseAutoFocus={() => {
          // The chosen action runs after the menu's button has got the focus back. If the action opens a dialog, the focus therefore
          // returns to that button when the dialog closes.
          chosen.current?.onSelect?.();
          chosen.current = null;
        }}
      >
        {items.map((item) => {
          const content = (
            <>
              {item.icon}
              {item.label}
            </>
          );
          return (
            <DropdownMenu.Item
              key={item.label}
              asChild={item.href !== undefined}
              disabled={item.disabled === true}
              onSelect={() => {
                chosen.current = item;
              }}
              className={menuItemClass(item)}
            >
              {item.href === undefined ? content : <Link href={item.href}>{content}</Link>}
            </DropdownMenu.Item>
          );
        })}
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  );
}

import clsx from 'clsx';
import type { MouseEvent, ReactNode } from 'react';
import { Link } from 'wouter';
import { toast } from '../../../client/toasts/toast.ts';
import { buttonClass } from '../../../client/ui/forms/button.tsx';
import { NativeMenu } from '../../../client/ui/overlays/native-menu.tsx';
import { actionsText } from '../texts.ts';

export interface Action {
  readonly label: string;
  readonly href: string;
  readonly isMain?: boolean;
  /** The message that is shown instead of following the link; null or absent if the user may follow it. */
  readonly blocked?: { readonly title: string; readonly description?: string } | null;
}

const showBlockedToast = (blocked: NonNullable<Action['blocked']>): void => void toast({ ...blocked, variant: 'destructive' });

/** Renders an action as a link. `of` is the id of the heading that tells what the link belongs to. */
export function ActionLink({ action, of }: { action: Action; of: string }): ReactNode {
  const { label, href, isMain = false, blocked = null } = action;
  const stop = (event: MouseEvent): void => {
    if (blocked === null) return;
    event.preventDefault();
    showBlockedToast(blocked);
  };
  return (
    <Link
      href={href}
      onClick={stop}
      aria-describedby={of}
      className={clsx(buttonClass({ variant: isMain && blocked === null ? 'main' : 'plain' }), blocked !== null && 'text-ink-soft')}
    >
      {label}
    </Link>
  );
}

/** Renders the actions of `ActionLink` as one menu, for small screens (spec §2). */
export function ActionMenu({ actions, name }: { actions: readonly Action[]; name: string }): ReactNode {
  const items = actions.map(({ label, href, blocked = null }) =>
    blocked === null ? { label, href } : { label, onSelect: () => showBlockedToast(blocked) },
  );
  return <NativeMenu label={actionsText(name)} items={items} />;
}

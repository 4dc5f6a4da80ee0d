import { AlertDialog } from 'radix-ui';
import { useRef, useState, type ReactNode } from 'react';
import { restoreFocus } from '../../focus/restore-focus.ts';
import { useCloseOnBack } from '../../navigation/use-close-on-back.ts';
import { buttonClass } from '../forms/button.tsx';
import { CANCEL } from '../../texts.ts';

export interface ConfirmDialogProps {
  /** Without `open`, the trigger opens the dialog. */
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  trigger?: ReactNode;
  title: string;
  /** The text that says what the action does and how many rows it affects. */
  children: ReactNode;
  confirmLabel: string;
  cancelLabel?: string;
  isDanger?: boolean;
  onConfirm: () => void;
}

/** Asks the user to confirm an action that cannot be undone. */
export function ConfirmDialog(props: ConfirmDialogProps): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  const { open = isOpen, onOpenChange = setIsOpen, trigger, title, children } = props;
  const { confirmLabel, cancelLabel = CANCEL, isDanger = false, onConfirm } = props;
  const opener = useRef<Element | null>(null);
  useCloseOnBack(open, () => onOpenChange(false));
  return (
    <AlertDialog.Root open={open} onOpenChange={onOpenChange}>
      {trigger !== undefined && <AlertDialog.Trigger asChild>{trigger}</AlertDialog.Trigger>}
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="fixed inset-0 z-50 animate-fade bg-(--scrim)" />
        <AlertDialog.Content
          onOpenAutoFocus={() => {
            opener.current = document.activeElement;
          }}
          onCloseAutoFocus={(event) => {
            // Radix returns the focus only to its own trigger button. For a dialog without a trigger, this function returns the focus to
            // the element that had it before.
            if (trigger !== undefined) return;
            event.preventDefault();
            restoreFocus(opener.current);
          }}
          className="fixed inset-x-4 bottom-4 z-50 animate-rise rounded-card border border-line bg-card p-5 shadow-float outline-none md:inset-x-auto md:top-1/2 md:bottom-auto md:left-1/2 md:w-md md:-translate-1/2 md:p-6"
        >
          <AlertDialog.Title>{title}</AlertDialog.Title>
          <AlertDialog.Description asChild>
            <div className="mt-2 text-pretty text-ink-soft">{children}</div>
          </AlertDialog.Description>
          <div className="mt-6 flex flex-col-reverse gap-2.5 md:flex-row md:justify-end">
            <AlertDialog.Cancel className={buttonClass()}>{cancelLabel}</AlertDialog.Cancel>
            <AlertDialog.Action className={buttonClass({ variant: isDanger ? 'danger' : 'main' })} onClick={onConfirm}>
              {confirmLabel}
            </AlertDialog.Action>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

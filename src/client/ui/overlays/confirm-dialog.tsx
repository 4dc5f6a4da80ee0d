import { AlertDialog } from 'radix-ui';
import { useState, type ReactNode } from 'react';
import { useFocusReturn } from '../../focus/restore-focus.ts';
import { useSingleClicks } from '../../hooks/use-single-clicks.ts';
import { useCloseOnBack } from '../../navigation/use-close-on-back.ts';
import { buttonClass } from '../forms/button.tsx';
import { CANCEL } from '../../texts.ts';

interface ConfirmDialogProps {
  /** The button that opens the dialog. Without a trigger, the caller opens the dialog by rendering it. */
  trigger?: ReactNode;
  /** Called when the dialog closes, also after `onConfirm`. */
  onClose?: () => void;
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
  const { trigger, onClose, title, children, confirmLabel, cancelLabel = CANCEL, isDanger = false, onConfirm } = props;
  const [isOpen, setIsOpen] = useState(trigger === undefined);
  const { noteOpener, returnFocus } = useFocusReturn(trigger !== undefined);
  const change = (open: boolean): void => {
    if (trigger !== undefined) setIsOpen(open);
    if (!open) onClose?.();
  };
  useCloseOnBack(isOpen, () => change(false));
  return (
    <AlertDialog.Root open={isOpen} onOpenChange={change}>
      {trigger !== undefined && <AlertDialog.Trigger asChild>{trigger}</AlertDialog.Trigger>}
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="fixed inset-0 z-50 animate-fade bg-(--scrim)" />
        <AlertDialog.Content
          onOpenAutoFocus={noteOpener}
          onCloseAutoFocus={returnFocus}
          className="fixed inset-x-4 bottom-4 z-50 animate-rise rounded-card border border-line bg-card p-5 shadow-float outline-none md:inset-x-auto md:top-1/2 md:bottom-auto md:left-1/2 md:w-md md:-translate-1/2 md:p-6"
        >
          <AlertDialog.Title>{title}</AlertDialog.Title>
          <AlertDialog.Description asChild>
            <div className="mt-2 text-pretty text-ink-soft">{children}</div>
          </AlertDialog.Description>
          <Answers {...{ confirmLabel, cancelLabel, isDanger, onConfirm }} />
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

/** The buttons of the question. The second click of a double click that has opened the question does not answer it. */
function Answers(props: Required<Pick<ConfirmDialogProps, 'confirmLabel' | 'cancelLabel' | 'isDanger' | 'onConfirm'>>): ReactNode {
  const { confirmLabel, cancelLabel, isDanger, onConfirm } = props;
  useSingleClicks(true);
  return (
    <div className="mt-6 flex flex-col-reverse gap-2.5 md:flex-row md:justify-end">
      <AlertDialog.Cancel className={buttonClass()}>{cancelLabel}</AlertDialog.Cancel>
      <AlertDialog.Action className={buttonClass({ variant: isDanger ? 'danger' : 'main' })} onClick={onConfirm}>
        {confirmLabel}
      </AlertDialog.Action>
    </div>
  );
}

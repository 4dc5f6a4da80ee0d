import clsx from 'clsx';
import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { useEffect, useRef, useState } from 'react';
import type { FocusEvent, ReactNode } from 'react';
import { LazyPart } from '../../lazy-part.tsx';
import { firstFieldIn } from '../../focus/first-field.ts';
import { useFocusReturn } from '../../focus/restore-focus.ts';
import { DOUBLE_MS } from '../../hooks/use-unread.ts';
import { askBeforeUnload } from '../../navigation/ask-before-unload.ts';
import { useCloseOnBack } from '../../navigation/use-close-on-back.ts';
import { buttonClass } from '../forms/button.tsx';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { useToastOffset } from '../../toasts/use-toast-offset.ts';
import { SkeletonForm } from '../feedback/skeleton.tsx';
import { CANCEL, CLOSE, DISCARD, DISCARD_QUESTION, KEEP_EDITING, NOT_SAVED_YET } from '../../texts.ts';

export interface DialogProps {
  /** Whether the dialog is open. Without this prop, the dialog is open as long as the caller renders it. */
  open?: boolean;
  onClose: () => void;
  /**
   * The button that opens the dialog by calling `onOpen`. When the dialog closes, this button gets the focus. Without a trigger, the
   * element that was focused before the dialog opened gets the focus.
   */
  trigger?: ReactNode;
  onOpen?: () => void;
  title: string;
  description?: ReactNode;
  size?: 's' | 'm' | 'l';
  /** Whether the form has unsaved typing. The dialog then asks for confirmation before it closes, and the browser before a reload. */
  isDirty?: boolean;
  /** The question that the dialog asks instead of the one about unsaved typing. */
  closeQuestion?: { title: string; text: string; confirmLabel: string; cancelLabel: string };
  /** Called after the dialog has closed, so that the caller can move the focus to another element. */
  onClosed?: () => void;
  children: ReactNode;
}

const UNSAVED_TYPING = { title: DISCARD_QUESTION, text: NOT_SAVED_YET, confirmLabel: DISCARD, cancelLabel: KEEP_EDITING };

const WIDTHS = { s: 'md:max-w-md', m: 'md:max-w-xl', l: 'md:max-w-4xl' };

/**
 * Renders a dialog that is centered on a desktop and fills the screen on a phone. While the script of its content is loading, a form
 * skeleton is shown.
 */
export function Dialog({
  open = true,
  onClose,
  trigger,
  onOpen,
  title,
  description,
  size = 's',
  isDirty = false,
  closeQuestion = UNSAVED_TYPING,
  onClosed,
  children,
}: DialogProps): ReactNode {
  const [isAsking, setIsAsking] = useState(false);
  const { noteOpener, returnFocus } = useFocusReturn(trigger !== undefined);
  const change = (next: boolean): void => {
    if (next) onOpen?.();
    else if (isDirty) setIsAsking(true);
    else onClose();
  };
  // The second press of a double click must not close the dialog. The first one may have opened it, or made it smaller.
  const pressedAt = useRef(-Infinity);
  useCloseOnBack(open, () => change(false));
  useEffect(() => (open && isDirty ? askBeforeUnload() : undefined), [open, isDirty]);
  return (
    <Radix.Root open={open} onOpenChange={change}>
      {trigger !== undefined && <Radix.Trigger asChild>{trigger}</Radix.Trigger>}
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-fade bg-(--scrim)" />
        <Radix.Content
          {...(description === undefined && { 'aria-describedby': undefined })}
          onPointerDownCapture={({ timeStamp }) => (pressedAt.current = timeStamp)}
          onPointerDownOutside={(event) => {
            if (event.detail.originalEvent.timeStamp - pressedAt.current < DOUBLE_MS) event.preventDefault();
          }}
          onOpenAutoFocus={(event) => {
            pressedAt.current = performance.now();
            noteOpener();
            focusFirstField(event);
          }}
          onCloseAutoFocus={(event) => {
            returnFocus(event);
            onClosed?.();
          }}
          className={clsx(
            'fixed inset-0 z-50 flex flex-col bg-card outline-none [--surface:var(--card)] md:animate-rise',
            'md:inset-auto md:top-1/2 md:left-1/2 md:max-h-[calc(100dvh-3rem)] md:w-[calc(100vw-4rem)] md:-translate-1/2 md:rounded-card md:border md:border-line md:shadow-float',
            WIDTHS[size],
          )}
        >
          <DialogHead>
            <div className="min-w-0 grow self-center">
              <Radix.Title>{title}</Radix.Title>
              {description !== undefined && (
                <Radix.Description className="mt-1 text-s text-pretty text-ink-soft">{description}</Radix.Description>
              )}
            </div>
            <Radix.Close
              className="grid size-11 shrink-0 place-items-center rounded-ctl text-ink-soft hover:bg-sunk hover:text-ink md:-mt-2"
              aria-label={CLOSE}
            >
              <X className="size-5" aria-hidden />
            </Radix.Close>
          </DialogHead>
          <div
            onFocus={intoView}
            className="min-h-0 grow scroll-pt-28 scroll-pb-36 overflow-y-auto px-4 py-4 md:scroll-pt-12 md:scroll-pb-24 md:px-6 md:pb-6"
          >
            <LazyPart fallback={<SkeletonForm fields={2} />}>{children}</LazyPart>
          </div>
        </Radix.Content>
      </Radix.Portal>
      {isAsking && (
        <ConfirmDialog
          title={closeQuestion.title}
          confirmLabel={closeQuestion.confirmLabel}
          cancelLabel={closeQuestion.cancelLabel}
          isDanger
          onConfirm={onClose}
          onClose={() => setIsAsking(false)}
        >
          {closeQuestion.text}
        </ConfirmDialog>
      )}
    </Radix.Root>
  );
}

function DialogHead({ children }: { children: ReactNode }): ReactNode {
  return (
    <div
      ref={useToastOffset()}
      className="flex items-start gap-4 border-b border-line py-3 ps-4 pe-2 md:border-b-0 md:pt-5 md:ps-6 md:pe-3 md:pb-2"
    >
      {children}
    </div>
  );
}

/**
 * When a dialog opens, focuses its first field, or the dialog itself on a device whose on-screen keyboard would cover half of the dialog.
 * The close button does not get the focus, because a typed space would press it.
 */
function focusFirstField(event: Event): void {
  const dialog = event.currentTarget as HTMLElement;
  event.preventDefault();
  (firstFieldIn(dialog) ?? dialog).focus();
}

/**
 * Scrolls the focused control into view. The browser does not do so when Shift+Tab moves the focus from the close button to the last
 * control.
 */
function intoView({ target }: FocusEvent): void {
  if (target.matches(':focus-visible')) target.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

/** Renders the Cancel button. Like the close button, it asks for confirmation when the form has unsaved typing. */
export const DialogCancel = (): ReactNode => <Radix.Close className={buttonClass()}>{CANCEL}</Radix.Close>;

/** Renders the buttons of a dialog, which stay visible at its bottom. Callers pass Cancel before the main action. */
export function DialogFooter({ children }: { children: ReactNode }): ReactNode {
  return (
    <div className="sticky -bottom-4 -mx-4 mt-6 -mb-4 flex flex-col-reverse gap-2.5 border-t border-line bg-card p-4 md:-bottom-6 md:-mx-6 md:-mb-6 md:rounded-b-card md:flex-row md:justify-end md:px-6">
      {children}
    </div>
  );
}

import { Plus } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Button } from '../forms/button.tsx';
import { Dialog, type DialogProps } from './dialog.tsx';

/**
 * The callbacks for the content of a dialog. A form calls `onClose` after it has saved, and reports with `onDirty` whether it has unsaved
 * input.
 */
export interface DialogContent {
  onClose: () => void;
  onDirty: (isDirty: boolean) => void;
}

interface DialogButtonProps extends Pick<DialogProps, 'trigger' | 'title' | 'description' | 'size'> {
  /** Renders the content of the dialog. If the content has unsaved input, the dialog asks for confirmation before it closes. */
  content: (dialog: DialogContent) => ReactNode;
}

export function DialogButton({ content, ...dialog }: DialogButtonProps): ReactNode {
  const [open, setOpen] = useState(false);
  const [isDirty, setIsDirty] = useState(false);
  const close = (): void => setOpen(false);
  return (
    <Dialog {...dialog} open={open} onOpen={() => setOpen(true)} onClose={close} isDirty={isDirty}>
      {content({ onClose: close, onDirty: setIsDirty })}
    </Dialog>
  );
}

export function AddDialog(props: DialogButtonProps & { title: string }): ReactNode {
  return (
    <DialogButton
      {...props}
      trigger={
        <Button variant="main" icon={<Plus aria-hidden />}>
          {props.title}
        </Button>
      }
    />
  );
}

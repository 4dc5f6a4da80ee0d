import { Plus } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Button } from '../forms/button.tsx';
import { Dialog } from './dialog.tsx';

interface AddDialogProps {
  /** The label of the button and the title of its dialog. */
  title: string;
  description: string;
  /**
   * Renders the form. The form calls `onClose` when it is done and reports unsaved typing with `onDirty`, so that the dialog asks before it
   * discards the typing.
   */
  form: (dialog: { onClose: () => void; onDirty: (isDirty: boolean) => void }) => ReactNode;
}

/** Renders a button that opens a dialog with the form for a new record. */
export function AddDialog({ title, description, form }: AddDialogProps): ReactNode {
  const [open, setOpen] = useState(false);
  const [isDirty, setIsDirty] = useState(false);
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button variant="main" icon={<Plus aria-hidden />}>
          {title}
        </Button>
      }
      title={title}
      description={description}
      isDirty={isDirty}
    >
      {form({ onClose: () => setOpen(false), onDirty: setIsDirty })}
    </Dialog>
  );
}

import type { ReactNode } from 'react';
import { Button, type ButtonProps } from '../forms/button.tsx';
import { Form, type FormProps } from '../forms/form.tsx';
import { DialogCancel, DialogFooter } from './dialog.tsx';

interface DialogFormProps extends FormProps, Pick<ButtonProps, 'variant' | 'disabled'> {
  submitLabel: string;
  isSaving: boolean;
}

export function DialogForm({ submitLabel, isSaving, variant = 'main', disabled, children, ...form }: DialogFormProps): ReactNode {
  return (
    <Form {...form}>
      {children}
      <DialogFooter>
        <DialogCancel />
        <Button type="submit" variant={variant} disabled={disabled} isLoading={isSaving}>
          {submitLabel}
        </Button>
      </DialogFooter>
    </Form>
  );
}

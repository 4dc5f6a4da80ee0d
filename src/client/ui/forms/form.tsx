import type { ComponentProps, FormEvent, ReactNode } from 'react';

export interface FormProps extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  onSubmit: (event: FormEvent<HTMLFormElement>) => unknown;
}

/** Renders a form. The browser neither validates nor sends it: `onSubmit` does both. */
export function Form({ onSubmit, ...form }: FormProps): ReactNode {
  return (
    <form
      noValidate
      {...form}
      onSubmit={(event) => {
        event.preventDefault();
        void onSubmit(event);
      }}
    />
  );
}

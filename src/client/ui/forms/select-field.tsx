import { ChevronDown } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { Field } from './field.tsx';
import type { FieldText } from './field.tsx';

interface Option {
  value: string;
  label: string;
}

type SelectFieldProps = FieldText & Omit<ComponentProps<'select'>, 'id' | 'children'> & { options: readonly Option[] };

const CHEVRON = <ChevronDown className="pointer-events-none absolute top-1/2 end-3 size-4 -translate-y-1/2 text-ink-soft" aria-hidden />;

/** Renders a native select element, because phones show their own list for it. */
export function SelectField({ label, hint, error, className, options, ...select }: SelectFieldProps): ReactNode {
  return (
    <Field {...{ label, hint, error, className }}>
      {(control) => (
        <span className="relative block">
          <select {...select} {...control} className="control appearance-none pe-10">
            {options.map(({ value, label: text }) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
          {CHEVRON}
        </span>
      )}
    </Field>
  );
}

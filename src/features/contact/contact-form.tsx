import { useState, type ComponentProps, type FormEvent, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { CANCEL } from '../../client/texts.ts';
import { toast } from '../../client/toasts/toast.ts';
import { Button, ButtonLink } from '../../client/ui/forms/button.tsx';
import { LeaveDialog } from '../../client/ui/overlays/leave-dialog.tsx';
import { leaveWithoutConfirmation } from '../../client/navigation/use-leave-guard.ts';
import { TextField } from '../../client/ui/forms/field.tsx';
import { Form } from '../../client/ui/forms/form.tsx';
import { ignoreUnread } from '../../client/previous-values/ignore-unread.ts';
import { usePreviousValues } from '../../client/previous-values/use-previous-values.ts';
import { useSave } from '../../client/api/use-calls.ts';
import { CONTACT_FIELDS, ContactFields, contactOf, saveContact, type Contact } from './contract.ts';
import { replacesAnyText } from '../../client/previous-values/texts.ts';
import { CONTACT_LABELS, CONTACT_SAVED, SAVE_CONTACT } from './texts.ts';

type Name = keyof ContactFields;
type Problems = { [name in Name]?: string };

const FIELDS: readonly ({ name: Name } & ComponentProps<'input'>)[] = [
  { name: 'firstName', autoComplete: 'given-name', className: 'col-span-2 sm:col-span-3' },
  { name: 'lastName', autoComplete: 'family-name', className: 'col-span-2 sm:col-span-3' },
  { name: 'address', autoComplete: 'address-line1', className: 'col-span-2 sm:col-span-6' },
  { name: 'city', autoComplete: 'address-level2', className: 'col-span-2' },
  { name: 'state', autoComplete: 'address-level1', className: 'sm:col-span-2' },
  { name: 'zip', autoComplete: 'postal-code', className: 'sm:col-span-2' },
  { name: 'phone', autoComplete: 'tel', type: 'tel', className: 'col-span-2 sm:col-span-3' },
];

function problemsOf(values: ContactFields): Problems {
  const { error } = ContactFields.safeParse(values);
  return Object.fromEntries((error?.issues ?? []).toReversed().map(({ path: [name], message }) => [name, message]));
}

/**
 * The form takes its initial values from the contact only once. When the server refuses a save, everything the user typed stays in the
 * form.
 */
export function ContactForm({ contact, onRefused }: { contact: Contact | null; onRefused: () => void }): ReactNode {
  const [, navigate] = useLocation();
  const previous = usePreviousValues(contactOf((field) => contact?.[field] ?? ''));
  const initial = previous.opened;
  const [values, setValues] = useState(initial);
  const [wasSubmitted, setWasSubmitted] = useState(false);
  // The save need not reload any data, because the dashboard loads the contact itself.
  const saving = useSave(saveContact, {
    refresh: false,
    onSaved: () => toast(CONTACT_SAVED),
    leave: () => {
      leaveWithoutConfirmation();
      navigate('/customer');
    },
  });
  const problems = wasSubmitted ? problemsOf(values) : {};

  const save = async (): Promise<void> => {
    const isChanged = contactOf((field) => values[field] !== initial[field]);
    const { before } = previous.withBefore(values, isChanged);
    const body = { ...ContactFields.parse(values), changed: CONTACT_FIELDS.filter((field) => isChanged[field]), before };
    const saved = await saving.save({ body });
    if (saved.ok) return;
    previous.onRefused(saved.error);
    onRefused();
  };
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    setWasSubmitted(true);
    const found = problemsOf(values);
    const first = FIELDS.find(({ name }) => found[name] !== undefined);
    if (first) (event.currentTarget.elements.namedItem(first.name) as HTMLInputElement).focus();
    else void save();
  };

  return (
    <Form onSubmit={submit} {...ignoreUnread(previous.isUnread)} className="grid grid-cols-2 gap-x-4 gap-y-5 sm:grid-cols-6">
      {FIELDS.map(({ name, ...field }) => (
        <TextField
          key={name}
          {...field}
          name={name}
          label={CONTACT_LABELS[name]}
          required
          value={values[name]}
          error={problems[name] ?? (values[name] === initial[name] ? undefined : replacesAnyText(previous.savedMeanwhile(name)))}
          onChange={({ target }) => setValues((before) => ({ ...before, [name]: target.value }))}
        />
      ))}
      <div className="col-span-2 flex flex-col-reverse gap-2.5 pt-2 sm:col-span-6 sm:flex-row">
        {contact && (
          <ButtonLink href="/customer" onClick={leaveWithoutConfirmation}>
            {CANCEL}
          </ButtonLink>
        )}
        <Button type="submit" variant="main" isLoading={saving.isSaving}>
          {SAVE_CONTACT}
        </Button>
      </div>
      <LeaveDialog isDirty={FIELDS.some(({ name }) => values[name] !== initial[name])} />
    </Form>
  );
}

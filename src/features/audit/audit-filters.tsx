import { useEffect, useState, type ReactNode } from 'react';
import { delaySearchParamWrite, useSearchParamState } from '../../client/navigation/search-param-state.ts';
import { SearchField } from '../../client/ui/forms/search-field.tsx';
import { SelectField } from '../../client/ui/forms/select-field.tsx';
import { AUDIT_KINDS } from './contract.ts';
import { ALL_KINDS, FILTER_KIND, FILTER_PERSON, FILTER_TEXT, KIND_LABELS } from './texts.ts';

const KINDS = ['', ...AUDIT_KINDS] as const;

export type AuditFilters = Readonly<Record<'kind' | 'person' | 'text', string>>;

/** Keeps the filters of the audit trail in the URL (contract §10). `fields` contains the inputs, which the caller renders. */
export function useAuditFilters(): { filters: AuditFilters; clear: () => void; fields: ReactNode } {
  const [kind, setKind] = useSearchParamState('kind', '', KINDS);
  const person = useTyped('person');
  const text = useTyped('text');
  const clear = (): void => {
    setKind('');
    person.type('');
    text.type('');
  };
  const options = [{ value: '', label: ALL_KINDS }, ...AUDIT_KINDS.map((value) => ({ value, label: KIND_LABELS[value] }))];
  const fields = (
    <div className="grid gap-3 border-b border-line px-4 py-3 md:grid-cols-[14rem_1fr_1fr] md:items-end md:px-5">
      <SelectField
        label={FILTER_KIND}
        value={kind}
        onChange={(event) => setKind(event.target.value as (typeof KINDS)[number])}
        options={options}
      />
      <SearchField label={FILTER_PERSON} value={person.typed} onValue={person.type} />
      <SearchField label={FILTER_TEXT} value={text.typed} onValue={text.type} />
    </div>
  );
  return { filters: { kind, person: person.value, text: text.value }, clear, fields };
}

/** Keeps the text that the user types into a filter, and writes the text to the URL when the user stops typing or leaves the page. */
function useTyped(name: string): { value: string; typed: string; type: (text: string) => void } {
  const [value, setValue] = useSearchParamState(name, '');
  const [typed, setTyped] = useState(value);
  useEffect(() => delaySearchParamWrite(() => setValue(typed.trim())), [typed, setValue]);
  return { value, typed, type: setTyped };
}

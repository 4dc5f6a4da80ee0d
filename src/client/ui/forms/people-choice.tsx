import { memo, useCallback, useDeferredValue, useMemo, useState, type ReactNode } from 'react';
import { sortName, personName } from '../../../shared/person-name.ts';
import { NAME_OR_EMAIL } from '../../texts.ts';
import { CheckRow } from './check-row.tsx';
import { SearchField } from './search-field.tsx';

interface Person {
  readonly userId: number;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly email: string | null;
}

interface PeopleChoiceProps {
  people: readonly Person[];
  chosen: ReadonlySet<number>;
  onChosen: (userIds: ReadonlySet<number>) => void;
  label: string;
  searchLabel: string;
  /** Returns the label of the check box for all people that match the search. */
  allText: (found: number, search: string) => string;
  nobodyText: (search: string) => string;
  moreText: (more: number) => string;
  /** The maximum height of the list. */
  className: string;
}

const MAX_SHOWN = 500;

export function PeopleChoice({ people, chosen, onChosen, label, searchLabel, className, ...texts }: PeopleChoiceProps): ReactNode {
  const [search, setSearch] = useState('');
  const wanted = useDeferredValue(search.trim().toLowerCase());
  const found = useMemo(() => people.filter((person) => searchedText(person).toLowerCase().includes(wanted)), [people, wanted]);
  const toggle = useCallback(
    (toggled: readonly Person[], isOn: boolean) => {
      const next = new Set(chosen);
      for (const { userId } of toggled)
        if (isOn) next.add(userId);
        else next.delete(userId);
      onChosen(next);
    },
    [chosen, onChosen],
  );
  return (
    <div className="overflow-hidden rounded-ctl border border-line-strong">
      <div className="flex flex-wrap items-center gap-x-4 border-b border-line bg-sunk p-2">
        <SearchField label={searchLabel} placeholder={NAME_OR_EMAIL} value={search} onValue={setSearch} className="min-w-52 grow" />
        {found.length > 0 && (
          <CheckRow isOn={found.every(({ userId }) => chosen.has(userId))} onToggle={(isOn) => toggle(found, isOn)}>
            {texts.allText(found.length, wanted)}
          </CheckRow>
        )}
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keyboard users can scroll the list only if it can get the focus */}
      <ul aria-label={label} tabIndex={0} className={`${className} overflow-y-auto px-2 py-1 focus-visible:-outline-offset-2`}>
        {found.slice(0, MAX_SHOWN).map((person) => (
          <PersonRow key={person.userId} person={person} isOn={chosen.has(person.userId)} onToggle={toggle} />
        ))}
        {found.length === 0 && <li className="p-2 text-s text-ink-soft">{texts.nobodyText(search.trim())}</li>}
        {found.length > MAX_SHOWN && <li className="p-2 text-s text-ink-soft">{texts.moreText(found.length - MAX_SHOWN)}</li>}
      </ul>
    </div>
  );
}

const searchedText = (person: Person): string =>
  `${personName(person)} ${sortName(person.firstName, person.lastName)} ${person.email ?? ''}`;

interface PersonRowProps {
  person: Person;
  isOn: boolean;
  onToggle: (people: readonly Person[], isOn: boolean) => void;
}

const PersonRow = memo(function PersonRow({ person, isOn, onToggle }: PersonRowProps): ReactNode {
  const name = sortName(person.firstName, person.lastName);
  return (
    <li>
      <CheckRow isOn={isOn} onToggle={(next) => onToggle([person], next)}>
        {name !== '' && <span className="me-2 font-semibold">{name}</span>}{' '}
        <span className={name === '' ? 'font-semibold' : 'text-ink-soft'}>{person.email}</span>
      </CheckRow>
    </li>
  );
});

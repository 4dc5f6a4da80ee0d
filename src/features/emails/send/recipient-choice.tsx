import { ChevronDown } from 'lucide-react';
import { memo, useCallback, useDeferredValue, useId, useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { Chips } from '../../../client/ui/forms/choices.tsx';
import { CheckRow } from '../../../client/ui/forms/check-row.tsx';
import { SearchField } from '../../../client/ui/forms/search-field.tsx';
import { calledName, listedName } from '../../../shared/person-name.ts';
import {
  allFoundText,
  BY_PERSON,
  EVERYBODY,
  moreToFind,
  nobodyMatches,
  NOT_PAID,
  PEOPLE,
  RECIPIENTS,
  recipientsText,
  SEARCH_PEOPLE,
  WITH_ORDER,
  WITHOUT_ORDER,
} from '../texts.ts';
import { NAME_OR_EMAIL } from '../../users/texts.ts';
import { chosenOf, isChosen, type Choice, type Group, type Recipient } from './use-recipients.ts';

const GROUPS: readonly { value: Group; label: string }[] = [
  { value: 'all', label: EVERYBODY },
  { value: 'with', label: WITH_ORDER },
  { value: 'without', label: WITHOUT_ORDER },
  { value: 'unpaid', label: NOT_PAID },
];
const MOST_SHOWN = 500;

export interface RecipientChoiceProps {
  people: readonly Recipient[];
  choice: Choice;
  onChoice: (choice: Choice) => void;
}

/** Chooses the recipients by group or one by one. The number of chosen recipients is always visible. */
export function RecipientChoice({ people, choice, onChoice }: RecipientChoiceProps): ReactNode {
  const [isExpanded, setIsExpanded] = useState(false);
  const list = useId();
  const isByPerson = typeof choice === 'object';
  const chosen = chosenOf(choice, people);
  const groups = GROUPS.filter(({ value }) => value === 'all' || people[0]?.hasOrder !== undefined);
  const options = [
    ...groups.map((group) => ({ ...group, count: chosenOf(group.value, people).length })),
    { value: 'some' as const, label: BY_PERSON, count: isByPerson ? chosen.length : undefined },
  ];
  const choose = (value: Group | 'some'): void => {
    setIsExpanded(value === 'some');
    onChoice(value === 'some' ? new Set() : value);
  };
  return (
    <div>
      <p className="mb-1 text-s font-semibold">{RECIPIENTS}</p>
      <Chips label={RECIPIENTS} options={options} value={isByPerson ? 'some' : choice} onValue={choose} className="-ms-1 flex-wrap" />
      <button
        type="button"
        aria-expanded={isExpanded}
        aria-controls={list}
        onClick={() => setIsExpanded(!isExpanded)}
        className="mt-1 flex min-h-11 items-center gap-1.5 rounded-ctl text-s text-ink-soft hover:text-ink md:min-h-8"
      >
        <ChevronDown className={isExpanded ? 'size-4 rotate-180' : 'size-4'} aria-hidden />
        <span aria-live="polite">{recipientsText(chosen.length)}</span>
      </button>
      <div id={list}>{isExpanded && <PeopleList people={people} choice={choice} onChoice={onChoice} />}</div>
    </div>
  );
}

const idsOf = (people: readonly Recipient[]): Set<number> => new Set(people.map(({ userId }) => userId));

function PeopleList({ people, choice, onChoice }: RecipientChoiceProps): ReactNode {
  const [search, setSearch] = useState('');
  const wanted = useDeferredValue(search.trim().toLowerCase());
  const found = useMemo(
    () =>
      people.filter((person) =>
        `${calledName(person)} ${listedName(person.firstName, person.lastName)} ${person.email}`.toLowerCase().includes(wanted),
      ),
    [people, wanted],
  );
  const chosenIds = useMemo(() => idsOf(chosenOf(choice, people)), [choice, people]);
  const toggle = useCallback(
    (userIds: readonly number[], isOn: boolean) => {
      const next = new Set(chosenIds);
      for (const userId of userIds)
        if (isOn) next.add(userId);
        else next.delete(userId);
      onChoice(next);
    },
    [chosenIds, onChoice],
  );
  const shown = found.slice(0, MOST_SHOWN);
  const areAllOn = found.every((person) => isChosen(choice, person));
  return (
    <div className="mt-1 overflow-hidden rounded-ctl border border-line-strong">
      <div className="flex flex-wrap items-center gap-x-4 border-b border-line bg-sunk p-2">
        <SearchField label={SEARCH_PEOPLE} placeholder={NAME_OR_EMAIL} value={search} onValue={setSearch} className="min-w-52 grow" />
        {found.length > 0 && (
          <CheckRow
            isOn={areAllOn}
            onToggle={(isOn) =>
              toggle(
                found.map(({ userId }) => userId),
                isOn,
              )
            }
          >
            {wanted === '' ? EVERYBODY : allFoundText(found.length)}
          </CheckRow>
        )}
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be in the reach of the keyboard */}
      <ul aria-label={PEOPLE} tabIndex={0} className="max-h-60 overflow-y-auto px-2 py-1 focus-visible:-outline-offset-2">
        {shown.map((person) => (
          <PersonRow key={person.userId} person={person} isOn={chosenIds.has(person.userId)} onToggle={toggle} />
        ))}
        {found.length === 0 && <li className="p-2 text-s text-ink-soft">{nobodyMatches(search.trim())}</li>}
        {found.length > shown.length && <li className="p-2 text-s text-ink-soft">{moreToFind(found.length - shown.length)}</li>}
      </ul>
    </div>
  );
}

interface PersonRowProps {
  person: Recipient;
  isOn: boolean;
  onToggle: (userIds: readonly number[], isOn: boolean) => void;
}

const PersonRow = memo(function PersonRow({ person, isOn, onToggle }: PersonRowProps): ReactNode {
  const name = listedName(person.firstName, person.lastName);
  return (
    <li>
      <CheckRow isOn={isOn} onToggle={(next) => onToggle([person.userId], next)}>
        {name !== '' && <span className="me-2 font-semibold">{name}</span>}
        <span className={name === '' ? 'font-semibold' : 'text-ink-soft'}>{person.email}</span>
      </CheckRow>
    </li>
  );
});

import { ChevronDown } from 'lucide-react';
import { useId, useMemo, useState, type ReactNode } from 'react';
import { Chips } from '../../../client/ui/forms/choices.tsx';
import { PeopleChoice } from '../../../client/ui/forms/people-choice.tsx';
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
import { chosenOf, type Choice, type Group, type Recipient } from './use-recipients.ts';

const GROUPS: readonly { value: Group; label: string }[] = [
  { value: 'all', label: EVERYBODY },
  { value: 'with', label: WITH_ORDER },
  { value: 'without', label: WITHOUT_ORDER },
  { value: 'unpaid', label: NOT_PAID },
];

interface RecipientChoiceProps {
  people: readonly Recipient[];
  choice: Choice;
  onChoice: (choice: Choice) => void;
}

export function RecipientChoice({ people, choice, onChoice }: RecipientChoiceProps): ReactNode {
  const [isExpanded, setIsExpanded] = useState(false);
  const list = useId();
  const isByPerson = typeof choice === 'object';
  const chosen = useMemo(() => new Set(chosenOf(choice, people).map(({ userId }) => userId)), [choice, people]);
  const groups = GROUPS.filter(({ value }) => value === 'all' || people[0]?.hasOrder !== undefined);
  const options = [
    ...groups.map((group) => ({ ...group, count: chosenOf(group.value, people).length })),
    { value: 'some' as const, label: BY_PERSON, count: isByPerson ? chosen.size : undefined },
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
        className="mt-1 flex min-h-11 items-center gap-1.5 rounded-ctl text-s text-ink-soft hover:text-ink dense:min-h-8"
      >
        <ChevronDown className={isExpanded ? 'size-4 rotate-180' : 'size-4'} aria-hidden />
        <span aria-live="polite">{recipientsText(chosen.size)}</span>
      </button>
      <div id={list} className="mt-1 empty:hidden">
        {isExpanded && (
          <PeopleChoice
            people={people}
            chosen={chosen}
            onChosen={onChoice}
            label={PEOPLE}
            searchLabel={SEARCH_PEOPLE}
            allText={(found, search) => (search === '' ? EVERYBODY : allFoundText(found))}
            nobodyText={nobodyMatches}
            moreText={moreToFind}
            className="max-h-60"
          />
        )}
      </div>
    </div>
  );
}

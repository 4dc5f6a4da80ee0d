// The UI texts about an order that another person or device has changed while the user was typing (contract §5).
import { isolated } from '../../../shared/isolated.ts';

export const CONFLICT = {
  title: 'This order was changed elsewhere',
  elsewhere: 'None of the lines you changed were touched. Everything you typed is still here: save again.',
  kept: 'Everything you typed is still here.',
  choose: 'Choose for each of these lines, then save again. Everything else you typed is still here.',
  mine: 'Keep mine',
  theirs: 'Take theirs',
};

const FIELDS = { note: 'note', slotId: 'pick-up time' } as const;

/** A field that the user and another person or device have changed. A value is empty if it was removed. */
interface Replaced {
  readonly field: keyof typeof FIELDS;
  readonly mine: string | number;
  readonly theirs: string | number;
  /** How the other person's value is shown; undefined if its name is not loaded. */
  readonly shown: string | undefined;
}
/** Returns, for example, 'The note was changed to “No nuts”. Saving replaces it with yours.' */
export function replacedText({ field, mine, theirs, shown }: Replaced): string {
  const change = theirs === '' ? 'removed' : shown === undefined ? 'changed' : `changed to “${isolated(shown)}”`;
  const changed = `The ${FIELDS[field]} was ${change}.`;
  if (mine === theirs) return changed;
  if (mine === '') return `${changed} Saving removes it.`;
  return `${changed} ${theirs === '' ? 'Saving stores yours.' : 'Saving replaces it with yours.'}`;
}

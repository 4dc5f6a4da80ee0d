// The state of the weight fields of an order, and how each action of the user changes it.
import {
  entryOf,
  hasConflict,
  numberIn,
  recordedText,
  shownText,
  typedOver,
  typedUnits,
  type Typed,
  type TypedWeight,
  type Unit,
  type Units,
} from './weights.ts';

/**
 * The remark below a field, after the field has lost the focus. 'accepted' means that the user has confirmed an unusual weight.
 * 'overtaken' means that another user has recorded a weight since the user typed one; this remark appears immediately.
 * 'replaced' means that the user has typed the weight over another one, about which the field asked.
 */
export type Remark = 'unreadable' | 'unusual' | 'overtaken' | 'accepted' | 'restored' | 'replaced' | null;

/** Whether the user must decide about the remark before the weights can be saved. */
export const needsDecision = (remark: Remark): boolean => remark === 'unreadable' || remark === 'unusual' || remark === 'overtaken';

type Seen = 'checked' | 'accepted' | 'restored';

export interface State {
  readonly typed: Typed;
  /**
   * Maps the key of a field to what happened since the user last typed into the field. The field was checked, its weight was accepted, or
   * the recorded weight was restored.
   */
  readonly seen: Readonly<Record<string, Seen>>;
  /**
   * Maps the key of a field to the texts that the field asked about until the user typed another weight over them. They may be the weights
   * of other units, if the user did not see the questions.
   */
  readonly replaced: Replaced;
}

type Replaced = Readonly<Record<string, readonly string[]>>;

export type WeighingAction =
  | { readonly act: 'type'; readonly unit: Unit; readonly text: string }
  /** Checks fields after they have lost the focus or after Enter. */
  | { readonly act: 'check'; readonly units: readonly Unit[] }
  /**
   * The user confirms a typed weight that is unusual, or that differs from a weight which another user has recorded since the page was
   * opened.
   */
  | { readonly act: 'accept'; readonly unit: Unit }
  /** The user takes back what was typed. */
  | { readonly act: 'undo'; readonly unit: Unit }
  /** The typed weight is recorded. */
  | { readonly act: 'recorded'; readonly unit: Unit }
  | { readonly act: 'restore'; readonly offer: Typed }
  | { readonly act: 'clear' };

export const NOTHING: State = { typed: {}, seen: {}, replaced: {} };

/**
 * Restored weights count as checked, as if the user had just left their fields. A field with an unusual weight therefore asks its question
 * as soon as the weight is restored.
 */
export const restoredState = (typed: Typed): State => ({
  ...NOTHING,
  typed,
  seen: Object.fromEntries(Object.keys(typed).map((key) => [key, 'checked'])),
});

function without<Value>(record: Readonly<Record<string, Value>>, key: string): Record<string, Value> {
  const { [key]: _, ...others } = record;
  return others;
}

const recorded = (state: State, { key }: Unit): State => ({
  ...state,
  typed: without(state.typed, key),
  seen: without(state.seen, key),
});

const restored = (state: State, unit: Unit): State => ({ ...recorded(state, unit), replaced: without(state.replaced, unit.key) });

/**
 * An emptied field shows the recorded weight again, because emptying a field does not remove the weight. Staff have a separate button for
 * that.
 */
function checked(state: State, unit: Unit): State {
  const { key } = unit;
  if (state.typed[key]?.text.trim() === '') {
    const emptied = restored(state, unit);
    return unit.recorded ? { ...emptied, seen: { ...emptied.seen, [key]: 'restored' } } : emptied;
  }
  return state.seen[key] ? state : { ...state, seen: { ...state.seen, [key]: 'checked' } };
}

function accepted(state: State, unit: Unit): State {
  const { typed, seen } = state;
  const { key } = unit;
  const entered = typed[key];
  // Another user may have recorded a weight in the meantime. In this case, 'accept' only means that the typed weight is kept. If the typed
  // weight is also unusual, a second question asks the user to confirm it.
  if (!entered || !hasConflict(unit, entered)) return { ...state, seen: { ...seen, [key]: 'accepted' } };
  return { ...state, typed: { ...typed, [key]: { ...entered, before: recordedText(unit) } }, seen: { ...seen, [key]: 'checked' } };
}

/** Returns the texts about which the field has asked and which the user now types over. */
function typedOverQuestion(unit: Unit, state: State): readonly string[] {
  const earlier = state.replaced[unit.key] ?? [];
  const text = state.typed[unit.key]?.text;
  if (text === undefined) return [];
  if (state.seen[unit.key] === undefined) return earlier;
  return needsDecision(remarkOf(unit, state)) ? [...earlier, text] : [];
}

/**
 * Undoes what the user has typed into the field. If the user was typing over a text in question, the field asks about this text again.
 * Otherwise, the field shows the recorded weight.
 */
function undone(state: State, unit: Unit): State {
  const { key } = unit;
  const [typed, texts] = [state.typed[key], state.replaced[key] ?? []];
  const asked = texts.at(-1);
  // A name that was typed over the question may have been checked meanwhile.
  const isOver = state.seen[key] === undefined || entryOf(unit, typed?.text).kind === 'unreadable';
  if (!typed || asked === undefined || !isOver) return restored(state, unit);
  return {
    typed: { ...state.typed, [key]: { ...typed, text: asked } },
    seen: { ...state.seen, [key]: 'checked' },
    replaced: { ...state.replaced, [key]: texts.slice(0, -1) },
  };
}

const digitsOf = (text: string): string => text.replaceAll(/\D/g, '').replaceAll(/^0+|0+$/g, '');

/**
 * Returns the texts that the user has typed another weight over. A text with the same digits is left out: it is the same weight, typed with
 * a wrong decimal point.
 */
export const replacedTexts = (unit: Unit, { typed, replaced }: State): string[] =>
  (replaced[unit.key] ?? []).filter((text) => digitsOf(text) !== digitsOf(shownText(unit, typed[unit.key]?.text)));

export function next(state: State, action: WeighingAction): State {
  switch (action.act) {
    case 'type': {
      const { unit, text } = action;
      return {
        typed: { ...state.typed, [unit.key]: typedOver(unit, text, state.typed[unit.key]) },
        seen: without(state.seen, unit.key),
        replaced: { ...state.replaced, [unit.key]: typedOverQuestion(unit, state) },
      };
    }
    case 'check':
      return action.units.reduce(checked, state);
    case 'accept':
      return accepted(state, action.unit);
    case 'undo':
      return undone(state, action.unit);
    case 'recorded':
      return recorded(state, action.unit);
    case 'restore':
      return { ...state, typed: { ...action.offer, ...state.typed } };
    case 'clear':
      return NOTHING;
  }
}

export function remarkOf(unit: Unit, state: State): Remark {
  const text = state.typed[unit.key]?.text;
  const entry = entryOf(unit, text);
  const seen = state.seen[unit.key];
  if (hasConflict(unit, state.typed[unit.key])) return 'overtaken';
  if (text !== undefined && seen === undefined) return null;
  if (entry.kind === 'unreadable') return 'unreadable';
  if (entry.kind === 'weight' && entry.isUnusual) return seen === 'accepted' ? 'accepted' : 'unusual';
  if (seen === 'restored' && shownText(unit, text) !== '') return 'restored';
  return replacedTexts(unit, state).length > 0 ? 'replaced' : null;
}

/** A typed weight that needs no decision of the user, because it is plausible or confirmed. `was` is the weight that it replaces. */
export interface Confirmed {
  readonly weight: number;
  readonly was: number | null;
}

export function confirmedWeight(unit: Unit, { typed, seen }: State): Confirmed | null {
  const entered = typed[unit.key];
  const entry = entryOf(unit, entered?.text);
  if (!entered || entry.kind !== 'weight' || hasConflict(unit, entered)) return null;
  if (entry.isUnusual && seen[unit.key] !== 'accepted') return null;
  return { weight: entry.actualQuantity, was: numberIn(entered.before) };
}

/** Returns the confirmed ones of the typed weights. These count as weighed. */
export const confirmedIn = (units: Units, state: State): Typed =>
  Object.fromEntries(
    typedUnits(units, state.typed).flatMap((unit) => {
      const typed = state.typed[unit.key];
      return typed && confirmedWeight(unit, state) ? [[unit.key, typed]] : [];
    }),
  );

/** Returns the text that a field asks about: its own, or the one in question over which a text was typed that is no weight. */
function undecidedText(unit: Unit, state: State): TypedWeight | null {
  const typed = state.typed[unit.key];
  if (!typed || !needsDecision(remarkOf(unit, state))) return null;
  const asked = entryOf(unit, typed.text).kind === 'unreadable' ? state.replaced[unit.key]?.at(-1) : undefined;
  return { ...typed, text: asked ?? typed.text };
}

export const undecidedIn = (units: Units, state: State): Typed =>
  Object.fromEntries(
    typedUnits(units, state.typed).flatMap((unit) => {
      const undecided = undecidedText(unit, state);
      return undecided ? [[unit.key, undecided]] : [];
    }),
  );

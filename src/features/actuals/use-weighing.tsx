import { useEffect, useMemo, useReducer, useState, type Dispatch } from 'react';
import { draftOf } from '../../client/draft.ts';
import { changedWeights, entryOf, restorable, shownText, type Typed, type Unit } from './weights.tsx';

/** What there is to say of a field, once it has been left; 'accepted' is an unusual weight that has been asked about. */
export type Remark = 'unreadable' | 'unusual' | 'accepted' | 'restored' | null;

type Seen = 'checked' | 'accepted' | 'restored';

interface State {
  readonly typed: Typed;
  /** The fields that have been left since they were typed into, and what came of it. */
  readonly seen: Readonly<Record<string, Seen>>;
}

export type WeighingAct =
  | { readonly act: 'type'; readonly unit: Unit; readonly text: string }
  /** A field is left, or Enter was pressed in it. */
  | { readonly act: 'check'; readonly units: readonly Unit[] }
  /** An unusual weight is right. */
  | { readonly act: 'accept'; readonly unit: Unit }
  /** Back to what is recorded. */
  | { readonly act: 'undo'; readonly unit: Unit }
  | { readonly act: 'restore'; readonly offer: Typed }
  | { readonly act: 'clear' };

const NOTHING: State = { typed: {}, seen: {} };

function without<Value>(record: Readonly<Record<string, Value>>, key: string): Record<string, Value> {
  const { [key]: _, ...others } = record;
  return others;
}

/** A weight cannot be taken away, so an emptied field goes back to what is recorded. */
function checked(state: State, unit: Unit): State {
  const { key, recorded } = unit;
  if (state.typed[key]?.trim() === '') {
    return { typed: without(state.typed, key), seen: recorded ? { ...state.seen, [key]: 'restored' } : without(state.seen, key) };
  }
  return state.seen[key] ? state : { ...state, seen: { ...state.seen, [key]: 'checked' } };
}

function next(state: State, action: WeighingAct): State {
  switch (action.act) {
    case 'type':
      return { typed: { ...state.typed, [action.unit.key]: action.text }, seen: without(state.seen, action.unit.key) };
    case 'check':
      return action.units.reduce(checked, state);
    case 'accept':
      return { ...state, seen: { ...state.seen, [action.unit.key]: 'accepted' } };
    case 'undo':
      return { typed: without(state.typed, action.unit.key), seen: without(state.seen, action.unit.key) };
    case 'restore':
      return { ...state, typed: { ...action.offer, ...state.typed } };
    case 'clear':
      return NOTHING;
  }
}

function remarkOf(unit: Unit, { typed, seen }: State): Remark {
  const entry = entryOf(unit, typed);
  const state = seen[unit.key];
  if (state === undefined) return null;
  if (entry.kind === 'unreadable') return 'unreadable';
  if (entry.kind === 'weight' && entry.isUnusual) return state === 'accepted' ? 'accepted' : 'unusual';
  return state === 'restored' && shownText(unit, typed) !== '' ? 'restored' : null;
}

export interface Weighing {
  readonly typed: Typed;
  readonly remarks: ReadonlyMap<string, Remark>;
  /** The weights that would be saved. */
  readonly changed: Readonly<Record<string, number>>;
  readonly isDirty: boolean;
  readonly dispatch: Dispatch<WeighingAct>;
  /** Looks at every field before saving; the first that must be seen to, or null. */
  readonly firstOpen: () => Unit | null;
  /** An earlier draft that waits for a yes or a no. */
  readonly offer: Typed;
  readonly restore: () => void;
  readonly discard: () => void;
  /** Clears the entries and their draft. */
  readonly forget: () => void;
}

/** What a person types into the weights of an order, kept as a draft on the device after each change. */
export function useWeighing({ userId, orderId, units }: { userId: number; orderId: number; units: readonly Unit[] }): Weighing {
  const draft = useMemo(() => draftOf<unknown>(userId, `actuals-${orderId}`), [userId, orderId]);
  const [offer, setOffer] = useState(() => restorable(draft.read(), units));
  const [state, dispatch] = useReducer(next, NOTHING);
  const { typed } = state;

  useEffect(() => {
    // What was typed before an answer to the offer must not take its place.
    const unsaved = { ...offer, ...typed };
    if (Object.keys(unsaved).length === 0) draft.clear();
    else draft.keep(unsaved);
  }, [draft, offer, typed]);

  const remarks = useMemo(() => new Map(units.map((unit) => [unit.key, remarkOf(unit, state)])), [units, state]);
  const firstOpen = (): Unit | null => {
    const after = units.reduce(checked, state);
    dispatch({ act: 'check', units });
    return units.find((unit) => ['unreadable', 'unusual'].includes(remarkOf(unit, after) ?? '')) ?? null;
  };
  return {
    typed,
    remarks,
    changed: useMemo(() => changedWeights(units, typed), [units, typed]),
    isDirty: useMemo(() => units.some((unit) => entryOf(unit, typed).kind !== 'same'), [units, typed]),
    dispatch,
    firstOpen,
    offer,
    restore: () => {
      dispatch({ act: 'restore', offer });
      dispatch({ act: 'check', units });
      setOffer({});
    },
    discard: () => setOffer({}),
    forget: () => {
      dispatch({ act: 'clear' });
      setOffer({});
      draft.clear();
    },
  };
}

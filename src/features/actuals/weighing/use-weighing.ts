import { useCallback, useMemo, useRef, useState, type Dispatch } from 'react';
import { draftOf } from '../../../client/storage/draft.ts';
import { useKeptDraft } from '../../../client/storage/use-kept-draft.ts';
import {
  confirmedIn,
  confirmedWeight,
  needsDecision,
  next,
  NOTHING,
  remarkOf,
  replacedTexts,
  restoredState,
  undecidedIn,
  type Confirmed,
  type Remark,
  type WeighingAction,
} from './weighing-state.ts';
import { changedWeights, entryOf, restorable, typedUnits, type Typed, type Unit, type Units } from './weights.ts';

export interface TypedWeights {
  readonly typed: Typed;
  /** The typed weights about which the user still has to decide. */
  readonly undecided: Typed;
  readonly confirmed: Typed;
  readonly remarks: ReadonlyMap<string, Remark>;
  /** The texts that the user has typed another weight over, by the key of the field. */
  readonly replaced: ReadonlyMap<string, string>;
  readonly dispatch: Dispatch<WeighingAction>;
  /** Returns the typed weight of the unit if it is confirmed, otherwise null. Knows all dispatched actions, also before the next render. */
  readonly confirmedOf: (unit: Unit) => Confirmed | null;
  /** Checks every field before saving; returns the first one that needs a decision, or null. */
  readonly firstUndecided: () => Unit | null;
}

export function useTypedWeights(units: Units, restored: Typed = NOTHING.typed): TypedWeights {
  const [state, setState] = useState(() => restoredState(restored));
  const { typed } = state;
  // One event can dispatch several actions before the next render. Each action, and each question about its result, needs the latest state.
  const latest = useRef(state);
  const dispatch = useCallback((action: WeighingAction): void => {
    latest.current = next(latest.current, action);
    setState(latest.current);
  }, []);
  const confirmedOf = useCallback((unit: Unit) => confirmedWeight(unit, latest.current), []);
  const touched = useMemo(() => {
    const keys = new Set([state.typed, state.seen, state.replaced].flatMap((fields) => Object.keys(fields)));
    return [...keys].flatMap((key) => units.find(key) ?? []);
  }, [units, state]);
  const remarks = useMemo(() => new Map(touched.map((unit) => [unit.key, remarkOf(unit, state)])), [touched, state]);
  const replaced = useMemo(() => new Map(touched.map((unit) => [unit.key, replacedTexts(unit, state).join(', ')])), [touched, state]);
  const firstUndecided = (): Unit | null => {
    const entered = typedUnits(units, latest.current.typed);
    dispatch({ act: 'check', units: entered });
    return entered.find((unit) => needsDecision(remarkOf(unit, latest.current))) ?? null;
  };
  return {
    typed,
    undecided: useMemo(() => undecidedIn(units, state), [units, state]),
    confirmed: useMemo(() => confirmedIn(units, state), [units, state]),
    remarks,
    replaced,
    dispatch,
    confirmedOf,
    firstUndecided,
  };
}

export interface Weighing extends TypedWeights {
  /** The weights that a save would send. */
  readonly changed: Readonly<Record<string, number>>;
  readonly isDirty: boolean;
  /** An earlier draft of typed weights, which the user may restore or discard. */
  readonly offer: Typed;
  readonly restore: () => void;
  readonly discard: () => void;
  readonly forget: () => void;
}

/** Keeps the weights that the user has typed for an order, and stores them as a draft on the device after each change. */
export function useWeighing({ userId, orderId, units }: { userId: number; orderId: number; units: Units }): Weighing {
  const draft = useMemo(() => draftOf<unknown>(userId, `actuals-${orderId}`), [userId, orderId]);
  const [offer, setOffer] = useState(() => restorable(draft.read(), units));
  const weights = useTypedWeights(units);
  const { typed, dispatch } = weights;
  const unsaved = useMemo(() => ({ ...offer, ...typed }), [offer, typed]);
  useKeptDraft(draft, Object.keys(unsaved).length > 0 ? unsaved : null);

  return {
    ...weights,
    changed: useMemo(() => changedWeights(units, typed), [units, typed]),
    isDirty: useMemo(() => typedUnits(units, typed).some((unit) => entryOf(unit, typed[unit.key]?.text).kind !== 'same'), [units, typed]),
    offer,
    restore: () => {
      dispatch({ act: 'restore', offer });
      dispatch({ act: 'check', units: typedUnits(units, offer) });
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

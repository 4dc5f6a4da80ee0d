import { useCallback, useMemo, useRef, type ReactNode } from 'react';
import { useScale } from '../../../client/hooks/use-scale.ts';
import type { ScaleReading } from '../../../domain/counter/scale-line.ts';
import { ScaleButton } from './scale-button.tsx';
import { ScaleNotice } from './scale-notice.tsx';
import { refuseWeight, type OnScaleWeight } from './use-scale-weight.ts';
import { NO_FAMILY_SHOWN } from './texts.ts';

interface CounterScale {
  readonly onScaleWeight: OnScaleWeight;
  /** Memoized, so that a key press in a weight field does not render the open order again. */
  readonly scaleButton: ReactNode;
  readonly scaleNotice: ReactNode;
}

/** The scale of the counter. It stays connected when the user goes on to the next family. */
export function useCounterScale(): CounterScale {
  const listener = useRef<((reading: ScaleReading) => void) | null>(null);
  const scale = useScale((reading) => (listener.current ? listener.current(reading) : refuseWeight(NO_FAMILY_SHOWN)));
  const onScaleWeight = useCallback<OnScaleWeight>((onWeight) => {
    listener.current = onWeight;
    return () => {
      listener.current = null;
    };
  }, []);
  const { isSupported, state, connect, disconnect } = scale;
  const scaleButton = useMemo(
    () => (isSupported ? <ScaleButton state={state} onConnect={connect} onDisconnect={disconnect} /> : null),
    [isSupported, state, connect, disconnect],
  );
  return { onScaleWeight, scaleButton, scaleNotice: scale.isUnreadable ? <ScaleNotice scale={scale} /> : null };
}

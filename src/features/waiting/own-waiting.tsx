// The customer's own waiting list entries for the rows of the order page (contract §12).
import { createContext, Suspense, use, useMemo, type ReactNode } from 'react';
import { useRead } from '../../client/api/use-calls.ts';
import { lazyScreen } from '../../client/navigation/lazy-screen.ts';
import type { Distribution } from '../distributions/contract.ts';
import { listWaiting, type WaitingEntry } from './contract.ts';
import type { WaitingProduct } from './waiting-line.tsx';

// Contains the dialog, which the order page loads only for this.
const WaitingLine = lazyScreen(async () => (await import('./waiting-line.tsx')).WaitingLine);

interface OwnWaiting {
  readonly entries: ReadonlyMap<number, WaitingEntry>;
  readonly timeZone: string | null;
}

/** Null when nobody can wait: no product has a limit, or ordering is not open. */
const OwnWaitingContext = createContext<OwnWaiting | null>(null);

interface OwnWaitingProviderProps {
  distribution: Pick<Distribution, 'id' | 'timeZone'>;
  isEnabled: boolean;
  children: ReactNode;
}

/** Reads the entries only if `isEnabled`. */
export function OwnWaitingProvider({ distribution: { id, timeZone }, isEnabled, children }: OwnWaitingProviderProps): ReactNode {
  const { data } = useRead(listWaiting, { id }, { enabled: isEnabled });
  const waiting = useMemo(
    () => (isEnabled && data ? { entries: new Map(data.map((entry) => [entry.productId, entry])), timeZone } : null),
    [isEnabled, data, timeZone],
  );
  return <OwnWaitingContext value={waiting}>{children}</OwnWaitingContext>;
}

/** For a limited product: the customer's waiting list entry or, when no units are left, a button to join the list. */
export function ProductWaiting({ product }: { product: WaitingProduct & { readonly left: number | null } }): ReactNode {
  const waiting = use(OwnWaitingContext);
  const entry = waiting?.entries.get(product.id) ?? null;
  if (!waiting || (entry === null && product.left !== 0)) return null;
  return (
    <Suspense fallback={null}>
      <WaitingLine product={product} entry={entry} timeZone={waiting.timeZone} />
    </Suspense>
  );
}

// Provides the customer's own waiting list entries to the rows of the order page (contract §12).
import { createContext, use, useMemo, type ReactNode } from 'react';
import { LazyPart } from '../../client/lazy-part.tsx';
import { useRead } from '../../client/api/use-calls.ts';
import { lazyScreen } from '../../client/navigation/lazy-screen.ts';
import { Pending } from '../../client/ui/feedback/pending.tsx';
import type { Distribution } from '../distributions/contract.ts';
import type { Product } from '../products/contract.ts';
import { listWaiting, type WaitingEntry } from './contract.ts';
import { WAITING_NOT_LOADED } from './texts.ts';
import type { WaitingProduct } from './waiting-line.tsx';

// Loaded on demand, because WaitingLine contains a dialog, and nothing else on the order page needs the dialog's script.
const WaitingLine = lazyScreen(async () => (await import('./waiting-line.tsx')).WaitingLine);

/** As high as the button to join the waiting list, so that the products below do not move when the button appears. */
const PLACEHOLDER = <div className="h-11 dense:h-6" />;

interface OwnWaiting {
  /** The customer's own entries by product id. Null until they are loaded. */
  readonly entries: ReadonlyMap<number, WaitingEntry> | null;
  readonly timeZone: string | null;
}

/** Null when nobody can wait, because ordering is not open. */
const OwnWaitingContext = createContext<OwnWaiting | null>(null);

interface OwnWaitingProviderProps {
  distribution: Pick<Distribution, 'id' | 'timeZone'>;
  isEnabled: boolean;
  children: ReactNode;
}

/** Provides the customer's entries. It reads them only if `isEnabled` is true. If the read fails, one error is shown above the products. */
export function OwnWaitingProvider({ distribution: { id, timeZone }, isEnabled, children }: OwnWaitingProviderProps): ReactNode {
  const read = useRead(listWaiting, { id }, { enabled: isEnabled });
  const { data } = read;
  const waiting = useMemo(
    () => (isEnabled ? { entries: data ? new Map(data.map((entry) => [entry.productId, entry])) : null, timeZone } : null),
    [isEnabled, data, timeZone],
  );
  return (
    <OwnWaitingContext value={waiting}>
      {isEnabled && !data && <Pending read={read} waiting={null} errorTitle={WAITING_NOT_LOADED} isInline />}
      {children}
    </OwnWaitingContext>
  );
}

/**
 * Shows the customer's entry on the waiting list of the product, even if the product has no limit any more. Without an entry, shows a
 * button to join the list when no units are left. The server lets nobody join the waiting list of a withdrawn product.
 */
export function ProductWaiting({ product }: { product: WaitingProduct & Pick<Product, 'left' | 'notOffered'> }): ReactNode {
  const waiting = use(OwnWaitingContext);
  const entry = waiting?.entries?.get(product.id) ?? null;
  if (!waiting || (entry === null && (product.left !== 0 || product.notOffered))) return null;
  return (
    <LazyPart fallback={PLACEHOLDER}>
      {waiting.entries ? <WaitingLine product={product} entry={entry} timeZone={waiting.timeZone} /> : PLACEHOLDER}
    </LazyPart>
  );
}

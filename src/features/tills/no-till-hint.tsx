import type { ReactNode } from 'react';
import { Button } from '../../client/ui/forms/button.tsx';
import { NO_TILL, OPEN_TILL } from './texts.ts';

/**
 * Says that the payment will belong to no till. A till can be opened only with a network. The payment is not blocked, because tills are
 * optional (contract §15).
 */
export function NoTillHint({ isReachable, onOpen }: { isReachable: boolean; onOpen: () => void }): ReactNode {
  return (
    <div className="flex items-center justify-between gap-x-3">
      <p className="text-s text-ink-soft">{NO_TILL}</p>
      {isReachable && (
        <Button size="s" onClick={onOpen}>
          {OPEN_TILL}
        </Button>
      )}
    </div>
  );
}

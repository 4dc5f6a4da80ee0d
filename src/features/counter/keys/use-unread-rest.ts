import type { DOMAttributes, SyntheticEvent } from 'react';
import { UNREAD_MONEY_MS, useUnread } from '../../../client/hooks/use-unread.ts';
import { toast } from '../../../client/toasts/toast.ts';
import { COUNTER, REST_NOT_RECORDED } from '../texts.ts';

interface UnreadRest {
  /** The handlers of the element around the payment. */
  readonly handlers: Pick<DOMAttributes<HTMLElement>, 'onKeyDownCapture' | 'onClickCapture'>;
  /** Called after *Pay only*. */
  readonly setPartPaid: () => void;
}

/**
 * Ignores keys and clicks that would record the rest right after *Pay only*, because nobody can have read the rest. A message says so.
 * `canPay` says whether there is a rest.
 */
export function useUnreadRest(canPay: boolean): UnreadRest {
  const { isUnread, setUnread } = useUnread(undefined, UNREAD_MONEY_MS);
  const ignore = (event: SyntheticEvent<HTMLElement>, controls: string): void => {
    if (!canPay || !(event.target as Element).closest(controls) || !isUnread(event.timeStamp)) return;
    event.preventDefault();
    event.stopPropagation();
    toast({ ...REST_NOT_RECORDED, variant: 'destructive', actionKey: COUNTER });
  };
  return {
    handlers: {
      onKeyDownCapture: (event) => {
        if (event.key === 'Enter') ignore(event, '[data-meaning], form');
        if (event.key === ' ') ignore(event, '[data-meaning]');
      },
      onClickCapture: (event) => ignore(event, '[data-meaning]'),
    },
    setPartPaid: setUnread,
  };
}

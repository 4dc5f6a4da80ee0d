import type { DOMAttributes, SyntheticEvent } from 'react';
import { UNREAD_MONEY_MS, useUnread } from '../../../client/hooks/use-unread.ts';
import { toast } from '../../../client/toasts/toast.ts';
import { PRESSES, REST_NOT_RECORDED } from '../texts.ts';

interface UnreadRest {
  /** Ignores this key or click if it came right after *Pay only*. A message says so. */
  readonly ignoreIfUnread: (event: SyntheticEvent<HTMLElement>) => void;
  /** The handlers of an element that contains the button *Pay only*. */
  readonly handlers: Pick<DOMAttributes<HTMLElement>, 'onKeyDownCapture' | 'onClickCapture'>;
  /** Called after *Pay only*. */
  readonly setPartPaid: () => void;
}

/** Ignores a second press of *Pay only* right after the first one, because it would record the rest, which nobody can have read. */
export function useUnreadRest(): UnreadRest {
  const { isUnread, setUnread } = useUnread(undefined, UNREAD_MONEY_MS);
  const ignoreIfUnread = (event: SyntheticEvent<HTMLElement>): void => {
    if (!isUnread(event.timeStamp)) return;
    event.preventDefault();
    event.stopPropagation();
    toast({ ...REST_NOT_RECORDED, variant: 'destructive', actionKey: PRESSES });
  };
  const isPayOnly = ({ target }: SyntheticEvent): boolean => target instanceof Element && target.closest('[data-meaning]') !== null;
  return {
    ignoreIfUnread,
    handlers: {
      onKeyDownCapture: (event) => {
        if (['Enter', ' '].includes(event.key) && isPayOnly(event)) ignoreIfUnread(event);
      },
      onClickCapture: (event) => {
        if (isPayOnly(event)) ignoreIfUnread(event);
      },
    },
    setPartPaid: setUnread,
  };
}

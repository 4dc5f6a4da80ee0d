import { useEffect, useEffectEvent } from 'react';
import { lastFollowedLink } from '../../navigation/focus-memory.ts';
import type { TableModel } from './use-table.ts';

/** Once, when the list can scroll: the row whose link was followed is brought into sight, also where only rows in sight are in the page. */
export function useScrollToFollowedRow<Row>({ shown, rowKey }: TableModel<Row>, scrollTo: (index: number) => void, canScroll = true): void {
  const show = useEffectEvent(() => {
    const followed = shown.findIndex((row) => rowKey(row) === lastFollowedLink()?.row);
    if (followed >= 0) scrollTo(followed);
  });
  useEffect(() => {
    if (canScroll) show();
  }, [canScroll]);
}

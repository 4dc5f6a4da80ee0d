import { useEffect, useEffectEvent } from 'react';
import { lastFollowedLink } from '../../navigation/focus-memory.ts';
import type { TableModel } from './use-table.ts';

/**
 * After the user has returned to the page, scrolls once to the row of the link that the user had followed. This also works in a virtualized
 * list.
 */
export function useScrollToFollowedRow<Row>({ shown, rowKey }: TableModel<Row>, scrollTo: (index: number) => void, canScroll = true): void {
  const show = useEffectEvent(() => {
    const followed = shown.findIndex((row) => rowKey(row) === lastFollowedLink()?.row);
    if (followed >= 0) scrollTo(followed);
  });
  useEffect(() => {
    if (canScroll) show();
  }, [canScroll]);
}

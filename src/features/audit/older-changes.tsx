import type { ReactNode } from 'react';
import { sentenceOf } from '../../client/api/fetch.ts';
import type { InfiniteRead } from '../../client/api/use-infinite-read.ts';
import { ErrorState } from '../../client/ui/feedback/error-state.tsx';
import { Button } from '../../client/ui/forms/button.tsx';
import { ALL_SHOWN, SHOW_OLDER } from './texts.ts';

export function OlderChanges<Item>({ list }: { list: InfiniteRead<Item> }): ReactNode {
  return (
    <div className="border-t border-line px-4 py-3 text-center text-s text-ink-soft">
      {list.error ? (
        <ErrorState text={sentenceOf(list.error)} onRetry={() => void (list.hasNextPage ? list.fetchNextPage() : list.refetch())} />
      ) : list.hasNextPage ? (
        <Button isLoading={list.isFetching} onClick={() => void list.fetchNextPage()}>
          {SHOW_OLDER}
        </Button>
      ) : (
        ALL_SHOWN
      )}
    </div>
  );
}

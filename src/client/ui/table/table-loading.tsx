import type { ReactNode } from 'react';
import { pathOf, type Endpoint, type ParamsOf } from '../../../shared/endpoint.ts';
import { rowsSoFar } from '../../api/fetch-all-pages.ts';
import { readSoFar } from '../../texts.ts';
import { SkeletonTable } from '../feedback/skeleton.tsx';

interface ReadingTableProps<E extends Endpoint> {
  endpoint: E;
  params: ParamsOf<E>;
}

/** Shown while a long list is loading; from its second page on it shows the progress at the place of the row count. */
export function TableLoading<E extends Endpoint>({ endpoint, params }: ReadingTableProps<E>): ReactNode {
  const rows = rowsSoFar.use(pathOf(endpoint, params));
  return (
    <div className="relative">
      <SkeletonTable rows={8} hasHead />
      <output className="num absolute start-4 top-12 text-s text-ink-soft md:start-5">{rows !== null && readSoFar(rows)}</output>
    </div>
  );
}

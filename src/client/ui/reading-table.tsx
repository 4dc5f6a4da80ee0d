import type { ReactNode } from 'react';
import { pathOf, type Endpoint, type ParamsOf } from '../../shared/endpoint.ts';
import { rowsSoFar } from '../read-in-parts.ts';
import { readSoFar } from '../texts.ts';
import { SkeletonTable } from './skeleton.tsx';

interface ReadingTableProps<E extends Endpoint> {
  endpoint: E;
  params: ParamsOf<E>;
}

/** In the place of a long list that is being read; from its second part on it says how far. */
export function ReadingTable<E extends Endpoint>({ endpoint, params }: ReadingTableProps<E>): ReactNode {
  const rows = rowsSoFar.use(pathOf(endpoint, params));
  return (
    <>
      <SkeletonTable rows={8} />
      <output className="mt-3 block text-center text-s text-ink-soft">{rows !== null && readSoFar(rows)}</output>
    </>
  );
}

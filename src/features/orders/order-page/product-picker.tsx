import { useDeferredValue, useMemo, useRef, useState, type ReactNode } from 'react';
import { useSearchParamState } from '../../../client/navigation/search-param-state.ts';
import { CLEAR_SEARCH } from '../../../client/texts.ts';
import { Button } from '../../../client/ui/forms/button.tsx';
import { EmptyState } from '../../../client/ui/feedback/empty-state.tsx';
import type { Quantities } from '../../../domain/order.ts';
import { nameDetails } from '../../../domain/product-names.ts';
import type { Product } from '../../products/contract.ts';
import { ProductFinder } from './product-finder.tsx';
import { ALL, orderedGroups, searchProducts, groupsOf, MINE, ofCategory } from './product-groups.ts';
import { ProductList, type ProductListProps } from './product-list.tsx';
import { noMatchText, NOTHING_CHOSEN, SEE_PRODUCTS } from '../texts.ts';

interface ProductPickerProps extends Omit<ProductListProps, 'groups' | 'nameDetails'> {
  products: readonly Product[];
}

const chosenIds = (quantities: Quantities): ReadonlySet<number> =>
  new Set([...quantities].filter(([, quantity]) => quantity > 0).map(([id]) => id));

/**
 * Lists the products of the chosen category, the ordered products, or the matches of the search. The URL keeps the category (contract §10).
 */
export function ProductPicker({ products, ...list }: ProductPickerProps): ReactNode {
  const { quantities } = list;
  const groups = useMemo(() => groupsOf(products), [products]);
  const details = useMemo(() => nameDetails(products), [products]);
  const [first = ALL] = groups.map(({ name }) => name);
  const names = useMemo(() => [...groups.map(({ name }) => name), MINE], [groups]);
  const [category, setCategory] = useSearchParamState('category', products[0]?.product_group ?? first, names);
  const [search, setSearch] = useState('');
  const searched = useDeferredValue(search).trim();
  const shown = search.trim() === '' ? category : ALL;

  // A product whose quantity is set to 0 stays in My items until the view changes, so that the user can undo it in place.
  const [mine, setMine] = useState({ shown, ids: chosenIds(quantities) });
  if (mine.shown !== shown) setMine({ shown, ids: chosenIds(quantities) });
  const ids = useMemo(() => (shown === MINE ? new Set([...mine.ids, ...chosenIds(quantities)]) : mine.ids), [shown, mine, quantities]);

  const listed = useMemo(() => {
    if (searched !== '') return searchProducts(groups, searched);
    return category === MINE ? orderedGroups(groups, ids) : ofCategory(groups, category);
  }, [groups, searched, category, ids]);

  const field = useRef<HTMLInputElement>(null);
  const top = useRef<HTMLDivElement>(null);
  const showTop = (): void => {
    if (top.current && top.current.getBoundingClientRect().top < 0) top.current.scrollIntoView();
  };
  const find = (next: string): void => {
    setSearch(next);
    showTop();
  };
  const clear = (): void => {
    find('');
    field.current?.focus();
  };
  const show = (next: string): void => {
    find('');
    if (next !== ALL) setCategory(next);
  };
  return (
    <>
      <ProductFinder
        groups={groups}
        quantities={quantities}
        shown={shown}
        onShown={show}
        search={search}
        onSearch={find}
        searchField={field}
      />
      <div ref={top} className="scroll-mt-12 md:scroll-mt-18">
        {listed.length > 0 && <ProductList groups={listed} nameDetails={details} {...list} />}
        {listed.length === 0 && searched !== '' && (
          <EmptyState picture="search" text={noMatchText(searched)} action={<Button onClick={clear}>{CLEAR_SEARCH}</Button>} />
        )}
        {listed.length === 0 && searched === '' && (
          <EmptyState picture="list" text={NOTHING_CHOSEN} action={<Button onClick={() => show(first)}>{SEE_PRODUCTS}</Button>} />
        )}
      </div>
    </>
  );
}

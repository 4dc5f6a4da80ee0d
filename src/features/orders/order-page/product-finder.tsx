import type { ReactNode, RefObject } from 'react';
import { Chips } from '../../../client/ui/forms/choices.tsx';
import { SearchField } from '../../../client/ui/forms/search-field.tsx';
import { SelectField } from '../../../client/ui/forms/select-field.tsx';
import { itemCount, type Quantities } from '../../../domain/order.ts';
import { ALL, MINE, unitsIn, type ProductGroup } from './product-groups.ts';
import { ALL_CATEGORIES, CATEGORIES, CATEGORY, MY_ITEMS, SEARCH_PRODUCTS, searchText } from '../texts.ts';

interface ProductFinderProps {
  groups: readonly ProductGroup[];
  quantities: Quantities;
  /** The name of a category, MINE for the ordered products, or ALL while the user searches. */
  shown: string;
  onShown: (shown: string) => void;
  search: string;
  onSearch: (search: string) => void;
  searchField: RefObject<HTMLInputElement | null>;
}

/** Renders the select `Category`, a search field, and chips that set the value of the select (contract §10). */
export function ProductFinder({ groups, quantities, shown, onShown, search, onSearch, searchField }: ProductFinderProps): ReactNode {
  const count = groups.reduce((sum, { products }) => sum + products.length, 0);
  const categories = groups.map(({ name, products }) => ({ value: name, label: name, count: unitsIn(products, quantities) }));
  const mine = { value: MINE, label: MY_ITEMS, count: itemCount(quantities) };
  const all = { value: ALL, label: ALL_CATEGORIES };
  return (
    <div className="contents md:sticky md:top-(--offline-height) md:z-10 md:grid md:grid-cols-[15rem_minmax(0,1fr)] md:items-end md:gap-x-3 md:border-b md:border-line md:-mx-1 md:bg-paper md:px-1 md:pb-2">
      <SelectField
        label={CATEGORY}
        className="max-md:flex max-md:items-center max-md:gap-3 max-md:[&>label]:mb-0 max-md:[&>span]:grow"
        options={[...(shown === ALL ? [all] : []), ...categories, mine]}
        value={shown}
        onChange={(event) => onShown(event.target.value)}
      />
      {/* On phones the search field and the chips stay visible at the top, while the select scrolls away. */}
      <div className="sticky top-(--offline-height) z-10 -mx-4 mt-2 border-b border-line bg-paper px-4 py-2 md:contents">
        <SearchField fieldRef={searchField} label={SEARCH_PRODUCTS} placeholder={searchText(count)} value={search} onValue={onSearch} />
        <Chips
          label={CATEGORIES}
          options={[mine, ...categories]}
          value={shown}
          onValue={onShown}
          className="-mx-4 mt-1.5 scroll-px-4 px-4 md:col-span-2 md:-mx-1 md:flex-wrap md:gap-1.5 md:px-1 md:[&>button]:px-2.5"
        />
      </div>
    </div>
  );
}

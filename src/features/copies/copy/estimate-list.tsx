import { useDeferredValue, useState, type ReactNode } from 'react';
import { CheckRow } from '../../../client/ui/forms/check-row.tsx';
import { SearchField } from '../../../client/ui/forms/search-field.tsx';
import { withDetail } from '../../../domain/product-names.ts';
import { withUom } from '../../actuals/texts.ts';
import type { Estimate } from '../contract.ts';
import {
  changeText,
  MEASURED_ESTIMATES,
  measuredText,
  moreText,
  NO_MATCH,
  NOT_WEIGHED,
  SEARCH_ESTIMATES,
  STAYS,
  takeAllText,
  TOO_FEW,
} from '../texts.ts';

const MAX_SHOWN = 300;
/** A list with fewer products than this needs no search field. */
const SEARCHED_FROM = 12;

export const changesEstimate = ({ proposed, estimate }: Estimate): boolean => proposed !== null && proposed !== estimate;

interface EstimateListProps {
  estimates: readonly Estimate[];
  /** The ids of the products whose current estimate the user wants to keep. */
  kept: ReadonlySet<number>;
  onKept: (kept: ReadonlySet<number>) => void;
}

/**
 * Lists each product with its recorded weights and a choice between the old and the measured estimate. Products whose estimate would change
 * come first (contract §13).
 */
export function EstimateList({ estimates, kept, onKept }: EstimateListProps): ReactNode {
  const [search, setSearch] = useState('');
  const wanted = useDeferredValue(search.trim().toLowerCase());
  const changes = estimates.filter(changesEstimate);
  const listed = [...changes, ...estimates.filter((estimate) => !changesEstimate(estimate))];
  const found = listed.filter((estimate) => `${nameOf(estimate)} ${estimate.product_code ?? ''}`.toLowerCase().includes(wanted));
  const toggle = (productIds: readonly number[], isTaken: boolean): void => {
    const next = new Set(kept);
    for (const productId of productIds)
      if (isTaken) next.delete(productId);
      else next.add(productId);
    onKept(next);
  };
  const changedIds = changes.map(({ productId }) => productId);
  return (
    <div className="overflow-hidden rounded-ctl border border-line-strong">
      <div className="flex flex-wrap items-center gap-x-4 border-b border-line bg-sunk p-2">
        {listed.length >= SEARCHED_FROM && (
          <SearchField label={SEARCH_ESTIMATES} value={search} onValue={setSearch} className="min-w-52 grow" />
        )}
        {changes.length > 0 && (
          <CheckRow isOn={!changedIds.some((id) => kept.has(id))} onToggle={(isOn) => toggle(changedIds, isOn)}>
            {takeAllText(changes.length)}
          </CheckRow>
        )}
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable list must be focusable by keyboard */}
      <ul aria-label={MEASURED_ESTIMATES} tabIndex={0} className="max-h-80 overflow-y-auto px-2 focus-visible:-outline-offset-2">
        {found.slice(0, MAX_SHOWN).map((estimate) => (
          <li key={estimate.productId} className="border-b border-line py-1 last:border-b-0">
            {changesEstimate(estimate) ? (
              <CheckRow isOn={!kept.has(estimate.productId)} onToggle={(isOn) => toggle([estimate.productId], isOn)}>
                <Measured estimate={estimate} />
              </CheckRow>
            ) : (
              <p className="flex min-h-11 items-center ps-8 text-s dense:min-h-9">
                <Measured estimate={estimate} />
              </p>
            )}
          </li>
        ))}
        {found.length === 0 && <li className="p-2 text-s text-ink-soft">{NO_MATCH}</li>}
        {found.length > MAX_SHOWN && <li className="p-2 text-s text-ink-soft">{moreText(found.length - MAX_SHOWN)}</li>}
      </ul>
    </div>
  );
}

const nameOf = ({ name, nameDetail }: Estimate): string => withDetail(name, nameDetail);

function Measured({ estimate }: { estimate: Estimate }): ReactNode {
  const { estimate: before, proposed, mean, spread, weighed, uom } = estimate;
  return (
    <span className="block">
      <span className="me-2 font-semibold">{nameOf(estimate)}</span>
      <span className="num">{changesEstimate(estimate) ? changeText(withUom(before, uom), withUom(proposed ?? before, uom)) : null}</span>
      {!changesEstimate(estimate) && (
        <span className="text-ink-soft">
          <span className="num">{withUom(before, uom)}</span> {proposed === null && weighed > 0 ? `${STAYS}: ${TOO_FEW}` : STAYS}
        </span>
      )}
      <span className="num block text-xs text-ink-soft">
        {mean === null ? NOT_WEIGHED : measuredText({ mean: withUom(mean, uom), spread: spread === null ? null : String(spread), weighed })}
      </span>
    </span>
  );
}

import type { ReactNode } from 'react';
import { Button } from '../../../client/ui/forms/button.tsx';
import type { Product } from '../contract.ts';
import {
  conflictText,
  CONFLICTS_TITLE,
  KEEP_MINE,
  keepMineText,
  TABLE_HEADERS,
  TAKE_THEIRS,
  takeTheirsText,
  valueOfText,
  wasDeletedText,
} from '../texts.ts';
import { textOfValue } from './columns.ts';
import type { Conflict } from './edits.ts';

interface ConflictListProps {
  conflicts: readonly Conflict[];
  onKeep: (product: Product) => void;
  onTake: (id: number, product: Product | undefined) => void;
}

/** Lists the products with unsaved changes that somebody else has changed or deleted. For each, the user decides which values stay. */
export function ConflictList({ conflicts, onKeep, onTake }: ConflictListProps): ReactNode {
  if (conflicts.length === 0) return null;
  return (
    <section role="alert" className="border-b border-line bg-wait-soft px-4 py-3 md:px-5">
      <h3 className="text-s font-semibold">{CONFLICTS_TITLE}</h3>
      <ul className="max-h-52 divide-y divide-line overflow-y-auto">
        {conflicts.map(({ id, name, product, fields }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-1.5 text-s">
            <span className="min-w-0 wrap-anywhere">
              {product ? conflictText(name, presentText(product, fields)) : wasDeletedText(name)}
            </span>
            <span className="flex gap-2">
              {product && (
                <Button size="s" aria-label={keepMineText(name)} onClick={() => onKeep(product)}>
                  {KEEP_MINE}
                </Button>
              )}
              <Button size="s" aria-label={takeTheirsText(name)} onClick={() => onTake(id, product)}>
                {TAKE_THEIRS}
              </Button>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const presentText = (product: Product, fields: Conflict['fields']): string =>
  fields.map((field) => valueOfText(TABLE_HEADERS[field], textOfValue(field, product[field]))).join('; ');

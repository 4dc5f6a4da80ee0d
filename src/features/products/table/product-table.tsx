import { useEffect, useRef, useState, type ReactNode } from 'react';
import { confirmBeforeLeaving } from '../../../client/navigation/use-leave-guard.ts';
import { Button } from '../../../client/ui/forms/button.tsx';
import { Card } from '../../../client/ui/layout/card.tsx';
import { LeaveDialog } from '../../../client/ui/overlays/leave-dialog.tsx';
import { RepriceDialog, useRepriceDialog } from '../../catalogue/reprice-dialog.tsx';
import type { Product } from '../contract.ts';
import type { ProductActions } from '../list/product-menu.tsx';
import { BACK_TO_LIST, EDITING_TABLE, TABLE_HINT, TABLE_HINT_TOUCH } from '../texts.ts';
import { columnsFor, isEditable, type Field, type TableColumn } from './columns.ts';
import { ConflictList } from './conflict-list.tsx';
import type { EditSummary } from './edits.ts';
import { ProductGrid, type GridFocus } from './product-grid.tsx';
import { SaveBar } from './save-bar.tsx';
import { useProductEdits } from './use-product-edits.ts';

const placeOf = (columns: readonly TableColumn[], field: Field): number =>
  columns.findIndex((column) => isEditable(column) && column.field === field);

interface ProductTableProps {
  distributionId: number;
  products: readonly Product[];
  /** The products of the chosen group, or those that match the search. */
  rows: readonly Product[];
  filters: ReactNode;
  menu: ProductActions;
  onShowAll: () => void;
  onBack: () => void;
}

export function ProductTable({ distributionId, products, rows, filters, menu, onShowAll, onBack }: ProductTableProps): ReactNode {
  const question = useRepriceDialog(distributionId);
  const edits = useProductEdits(distributionId, products, question);
  const { summary } = edits;
  const hasLimits = products.some((product) => product.total_limit !== null);
  // The column of the limits stays while the table is open, so that the user can also undo the removal of the last limit.
  const [showsLimits, setShowsLimits] = useState(hasLimits);
  if (hasLimits && !showsLimits) setShowsLimits(true);
  const columns = columnsFor({ hasLimits: hasLimits || showsLimits });
  const gridFocus = useRef<GridFocus>(null);
  const wanted = useRef<EditSummary['problems'][number]>(null);
  const shown = useRef(0);
  useEffect(() => {
    // The user wants to see a cell that cannot be saved. Its row may be in another group, so the cell gets the focus once that group is
    // rendered.
    const row = rows.findIndex(({ id }) => id === wanted.current?.id);
    if (wanted.current === null || row === -1) return;
    const { field } = wanted.current;
    wanted.current = null;
    gridFocus.current?.focus({ row, column: placeOf(columns, field) });
  }, [rows, columns]);
  const showProblem = (): void => {
    const next = summary.problems[shown.current++ % summary.problems.length];
    const row = rows.findIndex(({ id }) => id === next?.id);
    if (!next) return;
    if (row !== -1) return gridFocus.current?.focus({ row, column: placeOf(columns, next.field) });
    wanted.current = next;
    onShowAll();
  };
  // The active cell gets the focus before the save disables the Save button. Otherwise the focus would move out of the table. The table is
  // inert during the save and while a question is open, so the cell gets the focus again afterwards.
  const save = async (): Promise<void> => {
    gridFocus.current?.focusAgain();
    await edits.save();
    // A user who has already gone on to the search field keeps the focus there.
    if (!(document.activeElement instanceof HTMLInputElement)) gridFocus.current?.focusAgain();
  };
  return (
    <>
      <Card
        title={EDITING_TABLE}
        subtitle={
          <>
            <span className="pointer-coarse:hidden">{TABLE_HINT}</span>
            <span className="pointer-fine:hidden">{TABLE_HINT_TOUCH}</span>
          </>
        }
        actions={<Button onClick={() => confirmBeforeLeaving(onBack)}>{BACK_TO_LIST}</Button>}
        isFlush
      >
        {filters}
        <div inert={edits.isSaving || question.pending !== null}>
          <ConflictList conflicts={summary.conflicts} onKeep={edits.keepMine} onTake={edits.takeTheirs} />
          <ProductGrid rows={rows} columns={columns} edits={edits} menu={menu} focusRef={gridFocus} />
        </div>
      </Card>
      <SaveBar
        summary={summary}
        isSaving={edits.isSaving}
        onSave={() => void save()}
        onDiscard={edits.discard}
        onShowProblem={showProblem}
      />
      <LeaveDialog isDirty={summary.changed > 0} />
      <RepriceDialog question={question} />
    </>
  );
}

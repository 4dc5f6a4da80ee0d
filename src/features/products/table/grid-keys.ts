// Computes to which cell a key moves in the editable products table (https://www.w3.org/WAI/ARIA/apg/patterns/grid/).

export interface Cell {
  readonly row: number;
  readonly column: number;
}
interface GridSize {
  readonly rows: number;
  readonly columns: number;
}
type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey'>;

const PAGE = 10;

/** Returns the cell to which a key moves; null for keys that do not move. `isRtl` is true if the columns run from right to left. */
export function nextCellOnKey(
  { key, ctrlKey, metaKey }: Key,
  { row, column }: Cell,
  { rows, columns }: GridSize,
  isRtl: boolean,
): Cell | null {
  const isFar = ctrlKey || metaKey;
  const [last, end] = [rows - 1, columns - 1];
  const to = (nextRow: number, nextColumn: number): Cell => ({
    row: Math.min(Math.max(nextRow, 0), last),
    column: Math.min(Math.max(nextColumn, 0), end),
  });
  const along = (step: number): Cell => to(row, isFar ? (step < 0 ? 0 : end) : column + step);
  switch (key) {
    case 'ArrowDown':
      return to(isFar ? last : row + 1, column);
    case 'ArrowUp':
      return to(isFar ? 0 : row - 1, column);
    case 'ArrowRight':
      return along(isRtl ? -1 : 1);
    case 'ArrowLeft':
      return along(isRtl ? 1 : -1);
    case 'PageDown':
      return to(row + PAGE, column);
    case 'PageUp':
      return to(row - PAGE, column);
    case 'Home':
      return to(isFar ? 0 : row, 0);
    case 'End':
      return to(isFar ? last : row, end);
    default:
      return null;
  }
}

/**
 * Returns the next cell (Tab) or the previous cell (Shift+Tab). After the last column follows the next row. Returns null at the ends of the
 * table.
 */
export function nextCellOnTab({ row, column }: Cell, { rows, columns }: GridSize, step: 1 | -1): Cell | null {
  const index = row * columns + column + step;
  return index < 0 || index >= rows * columns ? null : { row: Math.floor(index / columns), column: index % columns };
}

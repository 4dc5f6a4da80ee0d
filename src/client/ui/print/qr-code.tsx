import { useMemo, type ReactNode } from 'react';
import { encodeQR } from 'qr';

/** Renders a QR code, always black on white, with the empty margin of four modules that scanners need. */
export function QrCode({ text, label, className }: { text: string; label: string; className?: string }): ReactNode {
  const { size, path } = useMemo(() => drawn(text), [text]);
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} shapeRendering="crispEdges" className={className}>
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}

/**
 * Returns the SVG path of a row: one rectangle for each run of adjacent dark modules. With one rectangle per module, a page with thousands
 * of labels would become too large.
 */
function rowPath(row: readonly boolean[], y: number): string {
  const starts = row.flatMap((isDark, x) => (isDark && !row[x - 1] ? [x] : []));
  return starts
    .map((x) => {
      const end = row.indexOf(false, x);
      const width = (end === -1 ? row.length : end) - x;
      return `M${x} ${y}h${width}v1h-${width}z`;
    })
    .join('');
}

function drawn(text: string): { size: number; path: string } {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: 4 });
  return { size: rows.length, path: rows.map(rowPath).join('') };
}

// Reads the text of a PDF, with the position of each piece of text on the paper.
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';

interface Piece {
  readonly text: string;
  /** A position in PDF points (1/72 inch). `left` and `right` are measured from the left edge of the page, `y` from its bottom edge. */
  readonly left: number;
  readonly right: number;
  readonly y: number;
  readonly size: number;
}

export interface PdfPage {
  readonly width: number;
  readonly height: number;
  readonly pieces: readonly Piece[];
  /**
   * The lines of text on the page, from top to bottom. A line consists of all pieces of text with the same baseline, from left to right.
   */
  readonly lines: readonly string[];
}

/** Joins the pieces of a line. Between two pieces, it inserts a space if the gap is as wide as a space. */
function lineOf(pieces: readonly Piece[]): string {
  const sorted = pieces.toSorted((a, b) => a.left - b.left);
  return sorted
    .map((piece, index) => {
      const before = sorted[index - 1];
      return before && piece.left - before.right > piece.size * 0.15 ? ` ${piece.text}` : piece.text;
    })
    .join('')
    .replace(/\s+/g, ' ')
    .trim();
}

function linesOf(pieces: readonly Piece[]): string[] {
  const lines: Piece[][] = [];
  for (const piece of pieces.toSorted((a, b) => b.y - a.y)) {
    const line = lines.at(-1);
    if (line?.[0] && line[0].y - piece.y < 2) line.push(piece);
    else lines.push([piece]);
  }
  return lines.map(lineOf);
}

export async function readPdf(file: Uint8Array): Promise<PdfPage[]> {
  const loading = getDocument({ data: new Uint8Array(file), verbosity: 0 });
  const document = await loading.promise;
  const pages: PdfPage[] = [];
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number);
    const { width, height } = page.getViewport({ scale: 1 });
    const { items } = await page.getTextContent();
    const pieces = items.flatMap((item) => {
      if (!('str' in item) || item.str.trim() === '') return [];
      const [, , , size = 0, left = 0, y = 0] = item.transform as number[];
      return [{ text: item.str, left, right: left + item.width, y, size: Math.abs(size) }];
    });
    pages.push({ width, height, pieces, lines: linesOf(pieces) });
  }
  await loading.destroy();
  return pages;
}

/** The margin of the printed page in points: 12 mm. */
const MARGIN = (12 / 25.4) * 72;

/** Returns the pieces of text that are in the margins or outside of the paper. */
export const beyondMargins = ({ width, height, pieces }: PdfPage): string[] =>
  pieces
    .filter(({ left, right, y, size }) => left < MARGIN - 1 || right > width - MARGIN + 6 || y < MARGIN || y + size > height - MARGIN + 4)
    .map((piece) => piece.text);

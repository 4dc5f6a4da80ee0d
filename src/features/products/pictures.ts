import { DRAWINGS } from './texts.ts';

type Picture = { src: string; alt: string };
type CodeRange = { from: number; to: number; picture: Picture };

const drawn = (from: number, to: number, file: keyof typeof DRAWINGS): CodeRange => ({
  from,
  to,
  picture: { src: `/pictures/${file}.svg`, alt: DRAWINGS[file] },
});

// Spec §3: the embedded table from product codes to image addresses. A distributor's own upload goes first (contract §4).
const PICTURES: readonly CodeRange[] = [
  drawn(1001, 1099, 'beef'),
  drawn(1101, 1199, 'lamb'),
  drawn(1201, 1299, 'poultry'),
  drawn(1301, 1399, 'deli'),
  drawn(1401, 1499, 'fish'),
  drawn(1501, 1599, 'dairy-eggs'),
  drawn(1601, 1699, 'cheese'),
  drawn(1701, 1799, 'matzah'),
  drawn(1801, 1899, 'wine'),
  drawn(1901, 1999, 'produce'),
  drawn(2001, 2099, 'pantry'),
  drawn(2101, 2199, 'prepared'),
  drawn(2201, 2299, 'sweets'),
  drawn(2301, 2399, 'candles'),
];

const pictureFor = (code: number): Picture | undefined => PICTURES.find(({ from, to }) => code >= from && code <= to)?.picture;

/** The address of the embedded image for a product code (spec §3); null without a code or for one the table does not know. */
export function pictureOf(product_code: number | null): string | null {
  return product_code === null ? null : (pictureFor(product_code)?.src ?? null);
}

/** What that image shows, for those who do not see it; null where pictureOf is null. */
export function pictureTextOf(product_code: number | null): string | null {
  return product_code === null ? null : (pictureFor(product_code)?.alt ?? null);
}

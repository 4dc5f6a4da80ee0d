type Picture = { src: string; alt: string };
type CodeRange = { from: number; to: number; picture: Picture };

const drawn = (from: number, to: number, file: string, alt: string): CodeRange => ({
  from,
  to,
  picture: { src: `/pictures/${file}.svg`, alt },
});

// Spec §3: the embedded table from product codes to image addresses. A distributor's own upload goes first (contract §4).
const PICTURES: readonly CodeRange[] = [
  drawn(1001, 1099, 'beef', 'Drawing of a tied roast on a carving board'),
  drawn(1101, 1199, 'lamb', 'Drawing of rib chops on a platter'),
  drawn(1201, 1299, 'poultry', 'Drawing of a roast chicken'),
  drawn(1301, 1399, 'deli', 'Drawing of a salami with slices'),
  drawn(1401, 1499, 'fish', 'Drawing of a whole fish with lemon'),
  drawn(1501, 1599, 'dairy-eggs', 'Drawing of a milk bottle and eggs'),
  drawn(1601, 1699, 'cheese', 'Drawing of a wedge of cheese'),
  drawn(1701, 1799, 'matzah', 'Drawing of a stack of matzah'),
  drawn(1801, 1899, 'wine', 'Drawing of a wine bottle and a glass'),
  drawn(1901, 1999, 'produce', 'Drawing of romaine, horseradish and an apple'),
  drawn(2001, 2099, 'pantry', 'Drawing of a spice jar, an oil bottle and a mortar'),
  drawn(2101, 2199, 'prepared', 'Drawing of a steaming soup pot'),
  drawn(2201, 2299, 'sweets', 'Drawing of almond cookies on a stand'),
  drawn(2301, 2399, 'candles', 'Drawing of two candlesticks'),
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

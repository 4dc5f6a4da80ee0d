import { PRODUCE, WINE_AND_JUICE } from './catalogue-cellar-garden.ts';
import { CHEESE, DAIRY_AND_EGGS, FISH, PREPARED } from './catalogue-cold.ts';
import { MATZAH_AND_BAKING, PANTRY_AND_SPICES, PAPER_AND_CANDLES, SWEETS_AND_SNACKS } from './catalogue-dry.ts';
import { BEEF, DELI, POULTRY, VEAL_AND_LAMB } from './catalogue-meat.ts';
import type { CatalogueProduct } from './catalogue-rows.ts';

/** The demo's Passover catalogue. The digits of a product code before the last two identify the product group. */
export const CATALOGUE: readonly CatalogueProduct[] = [
  ...BEEF,
  ...VEAL_AND_LAMB,
  ...POULTRY,
  ...DELI,
  ...FISH,
  ...DAIRY_AND_EGGS,
  ...CHEESE,
  ...MATZAH_AND_BAKING,
  ...WINE_AND_JUICE,
  ...PRODUCE,
  ...PANTRY_AND_SPICES,
  ...PREPARED,
  ...SWEETS_AND_SNACKS,
  ...PAPER_AND_CANDLES,
];

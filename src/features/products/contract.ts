// The calls for the products of a distribution (spec §3, §5; contract §4).
import * as z from 'zod/mini';
import { cents, dollars, MAX_CENTS } from '../../domain/money.ts';
import { MAX_QUANTITY, priceOf, type Priced } from '../../domain/order.ts';
import { BODY_LIMIT, endpoint } from '../../shared/endpoint.ts';
import { Amount, amount, Id, MAX_INT, nullableText, requiredText } from '../../shared/fields.ts';
import { MAX_PICTURE_SIDE, PICTURE_BOUNDS, PICTURE_MEGABYTES } from '../../shared/picture-limits.ts';
import {
  OTHER_CODE,
  LIMIT_BELOW_ONE,
  NEGATIVE_CODE,
  NEGATIVE_MAXIMUM,
  PREVIOUS_VALUE_MISSING,
  NO_PRODUCT_GIVEN,
  PICTURE_CHANGED,
  PRICE_NOT_POSITIVE,
  PRICE_TOO_LARGE,
  PRODUCT_LISTED_TWICE,
  PRODUCT_NAMES,
  PRODUCT_WAS_ORDERED,
  QUANTITY_BELOW_ONE,
  tooManyAtOnce,
  tooLongDescriptions,
  tooManyProducts,
} from './texts.ts';
import { changedMeanwhileText, outdatedText, TOO_MANY_PICTURES, tooManyPictures, tooLarge } from '../../shared/texts.ts';

const PRICE_BOUND = `\`unit_price\` times \`unit_qty\` is at most ${dollars(MAX_CENTS)}.`;

const Fields = {
  name: requiredText(PRODUCT_NAMES.name),
  description: nullableText(PRODUCT_NAMES.description, 2000),
  unit_price: amount(PRODUCT_NAMES.unit_price, PRICE_NOT_POSITIVE),
  unit_qty: z.int().check(z.gte(1, QUANTITY_BELOW_ONE), z.lte(MAX_QUANTITY, tooLarge(PRODUCT_NAMES.unit_qty))),
  uom: nullableText(PRODUCT_NAMES.uom),
  unit_qty_is_estimate: z.boolean(),
  max_order_qty: z.int().check(z.gte(0, NEGATIVE_MAXIMUM), z.lte(MAX_QUANTITY, tooLarge(PRODUCT_NAMES.max_order_qty))),
  product_group: nullableText(PRODUCT_NAMES.product_group),
  /**
   * The limit of the product: the maximum number of units that all orders together may have. Null means that there is no limit (contract
   * §12).
   */
  total_limit: z.nullable(z.int().check(z.gte(1, LIMIT_BELOW_ONE), z.lte(MAX_QUANTITY, tooLarge(PRODUCT_NAMES.total_limit)))),
  product_code: z.nullable(z.int().check(z.gte(0, NEGATIVE_CODE), z.lte(MAX_INT, tooLarge(PRODUCT_NAMES.product_code)))),
};

export const ProductTerms = z.pick(z.object(Fields), { unit_price: true, unit_qty: true, unit_qty_is_estimate: true });
export type ProductTerms = z.infer<typeof ProductTerms>;

/** A new product. Absent fields get the specification's defaults (spec §9). */
export const ProductFields = z.object({
  ...Fields,
  description: z._default(Fields.description, null),
  unit_price: z._default(Fields.unit_price, cents(0)),
  unit_qty: z._default(Fields.unit_qty, 1),
  uom: z._default(Fields.uom, null),
  unit_qty_is_estimate: z._default(Fields.unit_qty_is_estimate, false),
  max_order_qty: z._default(Fields.max_order_qty, 0),
  product_group: z._default(Fields.product_group, null),
  product_code: z._default(Fields.product_code, null),
  total_limit: z._default(Fields.total_limit, null),
});
export type ProductFields = z.infer<typeof ProductFields>;
export const PRODUCT_FIELDS = Object.keys(Fields) as (keyof ProductFields)[];

export const isAffordable = (product: Priced): boolean => priceOf(product) <= MAX_CENTS;
export const affordable = z.refine<Priced>(isAffordable, { message: PRICE_TOO_LARGE, path: ['unit_price'] });

/** The running upload to which the call belongs, so that undoing the upload undoes the call. */
const UploadId = z.optional(Id);

export const NewProduct = ProductFields.check(affordable);
/** If the body contains a distribution id, it must be the id in the path (spec §7). */
const AddedProduct = z.extend(ProductFields, { distributionId: z.optional(Id), uploadId: UploadId }).check(affordable);

/** The change of a product. Absent fields keep their values. */
export const ProductChange = z.partial(z.object(Fields));
export type ProductChange = z.infer<typeof ProductChange>;
/**
 * If the body contains a product id, it must be the id in the path (spec §7). `before` may contain the previous values of changed fields.
 * If somebody else has changed one of these fields since, the server refuses to overwrite it.
 */
const ChangedProduct = z.extend(ProductChange, { id: z.optional(Id), uploadId: UploadId, before: z.optional(ProductChange) });

const isBased = ({ before, after }: { before: ProductChange; after: ProductChange }): boolean =>
  Object.keys(after).every((field) => field in before);

/**
 * A change with the values on which it is based: `before` contains the previous value of each field in `after`. If somebody else has
 * changed a field since, the server refuses to overwrite the field.
 */
const ChangeWithPrevious = z
  .object({ id: Id, before: ProductChange, after: ProductChange })
  .check(z.refine(isBased, { message: PREVIOUS_VALUE_MISSING, path: ['before'] }));
export type ChangeWithPrevious = z.infer<typeof ChangeWithPrevious>;

export const Product = z.object({
  id: Id,
  distributionId: Id,
  name: z.string(),
  description: z.nullable(z.string()),
  unit_price: Amount,
  unit_qty: z.int(),
  /** The price of one unit in cents: unit_price times unit_qty. */
  price: Amount,
  uom: z.nullable(z.string()),
  unit_qty_is_estimate: z.boolean(),
  max_order_qty: z.int(),
  product_group: z.nullable(z.string()),
  product_code: z.nullable(z.int()),
  total_limit: z.nullable(z.int()),
  /** How many units can still be ordered; null without a limit. For a customer, this includes units on hold for that customer. */
  left: z.nullable(z.int()),
  /** The number of units in all orders. Only staff get this field. */
  total_ordered: z.optional(z.int()),
  /** True for a withdrawn product, which customers can no longer order; otherwise absent. */
  notOffered: z.optional(z.boolean()),
});
export type Product = z.infer<typeof Product>;

export const listProducts = endpoint({
  method: 'GET',
  path: '/api/distributions/:id/products',
  summary: 'The products of a distribution by group, code and name',
  roles: ['distributor', 'agent', 'customer'],
  reply: z.array(Product),
});

/**
 * The maximum number of products changed in one call. A call with more products would hold the distribution's lock for too long: saves of
 * orders wait for that lock, and would give up.
 */
export const MAX_PRODUCTS = 5000;
/** The maximum number of products in a distribution, including withdrawn ones. */
export const MAX_PRODUCTS_KEPT = 10_000;
/** The maximum size of all descriptions of a distribution together, in bytes. Longer lists would block the event loop and fill the memory. */
export const MAX_DESCRIPTIONS_BYTES = 4_000_000;
/**
 * A description of up to this many bytes is accepted without summing up all descriptions. Even if every product had a description of this
 * size, the sum would be allowed.
 */
export const SHORT_DESCRIPTION = MAX_DESCRIPTIONS_BYTES / MAX_PRODUCTS_KEPT;

export const addProduct = endpoint({
  method: 'POST',
  path: '/api/distributions/:id/products',
  summary: 'Add a product',
  description: PRICE_BOUND,
  refusals: { 409: `${tooManyProducts(MAX_PRODUCTS_KEPT)} ${tooLongDescriptions(MAX_DESCRIPTIONS_BYTES)}` },
  roles: ['distributor'],
  body: AddedProduct,
  reply: Product,
  isImport: true,
  idempotent: true,
  status: 201,
});

export const changeProduct = endpoint({
  method: 'PATCH',
  path: '/api/distributions/:id/products/:productId',
  summary: 'Change fields of a product',
  description: PRICE_BOUND,
  refusals: {
    409: `${outdatedText('Brisket')} ${tooLongDescriptions(MAX_DESCRIPTIONS_BYTES)}`,
  },
  roles: ['distributor'],
  body: ChangedProduct,
  reply: Product,
  isImport: true,
});

export const changeProducts = endpoint({
  method: 'PATCH',
  path: '/api/distributions/:id/products',
  summary: 'Change fields of many products, all or nothing',
  description: `${PRICE_BOUND} A value that is already as wanted counts as saved, so that a call without a reply can be sent again.`,
  refusals: {
    409: `A value is neither that of \`before\` nor that of \`after\`: \`${changedMeanwhileText('Brisket')}\`. ${tooLongDescriptions(MAX_DESCRIPTIONS_BYTES)}`,
  },
  roles: ['distributor'],
  body: z.object({
    products: z.array(ChangeWithPrevious).check(
      z.minLength(1, NO_PRODUCT_GIVEN),
      z.maxLength(MAX_PRODUCTS, tooManyAtOnce(MAX_PRODUCTS)),
      z.refine((products) => new Set(products.map(({ id }) => id)).size === products.length, PRODUCT_LISTED_TWICE),
    ),
  }),
  reply: z.array(Product),
  bodyLimit: 4 * BODY_LIMIT,
  // A row with all fields has 24 values.
  maxValues: 24 * MAX_PRODUCTS + 100,
});

/** The server's message when no order has units of the product. The client compares the message with this text. */
export const NOTHING_CLEARED = 'This product has no ordered units.';

export const deleteProduct = endpoint({
  method: 'DELETE',
  path: '/api/distributions/:id/products/:productId',
  summary: 'Delete a product that was never ordered',
  refusals: { 409: PRODUCT_WAS_ORDERED },
  roles: ['distributor'],
  status: 204,
});

export const offerProduct = endpoint({
  method: 'POST',
  path: '/api/distributions/:id/products/:productId/offer',
  summary: 'Offer a product no more, or again: not offered, it stays in its orders, and nobody can order more of it',
  roles: ['distributor'],
  body: z.object({ notOffered: z.boolean() }),
  status: 204,
});

export const clearQuantities = endpoint({
  method: 'POST',
  path: '/api/distributions/:id/clear-product-quantities',
  summary: 'Set every ordered quantity of a product to 0',
  refusals: { 409: OTHER_CODE },
  roles: ['distributor'],
  /**
   * If the request contains a code, it must be the code of the product. This protects against setting the quantities of the wrong product
   * to 0.
   */
  body: z.object({ productId: Id, product_code: z._default(Fields.product_code, null) }),
  reply: z.object({ message: z.string() }),
  // Changes up to as many orders as there are customers.
  isExpensive: true,
});

/** The picture of a product code. `hash` is the hash of its bytes and part of its URL. */
export const ProductImage = z.object({ product_code: z.int(), hash: z.string() });
export type ProductImage = z.infer<typeof ProductImage>;

/**
 * The maximum size in bytes of a request body with a picture, rounded up to whole megabytes. Base64 takes four bytes for every three bytes
 * of the file.
 */
const IMAGE_BODY = Math.ceil((PICTURE_MEGABYTES * 4) / 3) * 1024 * 1024;
const isBase64 = (text: string): boolean => text.length % 4 === 0 && !/[^A-Za-z0-9+/]/.test(text.replace(/={1,2}$/, ''));

/** The maximum number of pictures of one distributor. Each takes at most MAX_STORED_PICTURE bytes, so all take at most a gigabyte. */
export const MAX_PICTURES = 5000;

/**
 * A saved picture counts as this many rows of a day. If it counted as one row, a distributor could replace a picture for each row of a day
 * (docs/limits.md), and the database would write up to 120 GB a day to its disk and its backups.
 */
const ROWS_OF_PICTURE = 100;

export const listProductImages = endpoint({
  method: 'GET',
  path: '/api/product-images',
  summary: "The distributor's own pictures by product code",
  roles: ['distributor', 'agent', 'customer'],
  reply: z.array(ProductImage),
});

export const readProductImage = endpoint({
  method: 'GET',
  path: '/api/product-images/:productCode/:hash',
  summary: 'A picture; its URL never gets another content, so it may be cached forever',
  roles: ['distributor', 'agent', 'customer'],
  mediaType: 'image/webp',
});

export const saveProductImage = endpoint({
  method: 'POST',
  path: '/api/product-images/:productCode',
  summary: 'Set or replace the picture of a product code: a PNG, JPEG or WebP file in base64',
  description: `A file ${PICTURE_BOUNDS}; kept is a WebP of at most ${MAX_PICTURE_SIDE} pixels a side.`,
  refusals: { 409: `${tooManyPictures(MAX_PICTURES)} ${PICTURE_CHANGED}`, 429: TOO_MANY_PICTURES },
  roles: ['distributor'],
  body: z.object({
    image: z.string().check(z.refine(isBase64, 'The picture must be sent in base64')),
    /** The hash of the picture that the user saw, or null if there was none. If this is absent, any picture is replaced. */
    before: z.optional(z.nullable(z.string())),
  }),
  reply: ProductImage,
  status: 201,
  statusOfChange: 200,
  bodyLimit: IMAGE_BODY,
  rows: ROWS_OF_PICTURE,
});

export const deleteProductImage = endpoint({
  method: 'DELETE',
  path: '/api/product-images/:productCode',
  summary: 'Remove the picture of a product code',
  refusals: { 409: PICTURE_CHANGED },
  roles: ['distributor'],
  /** `before` is the hash of the picture that the user saw. If it is absent, any picture is removed. */
  query: z.object({ before: z.optional(z.string()) }),
  status: 204,
});

// Defines the measured jobs. Each job has a function that returns, for its n-th run, the user, the requests and the expected number of rows
// in each response. Feastday and the baseline server get the same requests.
interface Call {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
  /** The expected number of rows in the response. If absent, the rows are not counted. */
  readonly rows?: number;
}
interface Run {
  /** The id of the signed-in user; null for a signed-out one. The session cookie is `s` followed by the id. */
  readonly userId: number | null;
  readonly calls: readonly Call[];
}

const CUSTOMERS = 4000;
const PRODUCTS = 200;
const LINES = 12;
const DISTRIBUTOR = 1;
/**
 * The number of distributions without limits that accept new orders. Their ids are 1 to 28, and each customer has at most one order in
 * each.
 */
const OPEN = 28;
/** Each edit job changes its own 1,000 orders, so that no two edit jobs share an order. */
const EDITED_BY_ONE_JOB = 1000;
export const EDITED = { distribution: 39, orders: 3 * EDITED_BY_ONE_JOB };
export const OTHERS = { distribution: 40, orders: 25_000 };
/**
 * The first and the last id of the distributions with limits. In each of them, three of the twelve products that `placeLimited` orders have
 * a limit.
 */
const LIMITED = { first: 29, last: 38 };
export const REPORTED = { distribution: 1000, orders: 1000 };
export const CHANGED_LINES = 3;
export const EDIT_JOBS = ['edit', 'editOneLower', 'editAllLower'] as const;

export const customerOf = (n: number): number => 2 + (n % CUSTOMERS);

function orderOf(distributionId: number, start: number, quantityOf: (line: number) => number): Call {
  const first = (distributionId - 1) * PRODUCTS + 1;
  const products = Array.from({ length: LINES }, (_, line) => ({
    productId: first + ((start + line * 16) % PRODUCTS),
    quantity: quantityOf(line),
  }));
  return { method: 'POST', path: '/api/orders', body: JSON.stringify({ distributionId, products }) };
}

/** `rising` and `falling` compute the quantity of a line in the n-th edit of an order. Both sequences repeat after eight edits. */
const rising = (edit: number): number => 1 + (edit % 8);
const falling = (edit: number): number => 9 - (edit % 8);

/**
 * Returns a run that changes an existing order. Each function in `quantities` computes the new quantity of one of the first lines. All
 * other lines keep the quantity 1.
 */
function editOf(place: number, n: number, quantities: readonly ((edit: number) => number)[]): Run {
  const edit = Math.floor(n / EDITED_BY_ONE_JOB) + 1;
  const customer = place * EDITED_BY_ONE_JOB + (n % EDITED_BY_ONE_JOB);
  return { userId: customerOf(customer), calls: [orderOf(EDITED.distribution, 0, (line) => quantities[line]?.(edit) ?? 1)] };
}

const read = (distributionId: number, what: string, rows: number): Call => ({
  method: 'GET',
  path: `/api/distributions/${distributionId}/${what}`,
  rows,
});

export const PASSWORD = 'Holiday2027';
const credentials = (n: number) => ({ email: `customer${n % CUSTOMERS}@bench.test`, password: PASSWORD });

export const JOBS = {
  /**
   * Places a new order of 12 products. When all customers have ordered in one distribution, the following orders go to the next
   * distribution.
   */
  place: (n: number): Run => ({
    userId: customerOf(n),
    calls: [orderOf(1 + Math.floor(n / CUSTOMERS), n * 7, (line) => 1 + (line % 4))],
  }),
  /**
   * Like `place`, but three of the 12 products have a limit in Feastday, and all customers order the same 12. The baseline has no limits.
   */
  placeLimited: (n: number): Run => {
    const distribution = LIMITED.first + Math.floor(n / CUSTOMERS);
    if (distribution > LIMITED.last) throw new Error('every customer has ordered in every distribution with limits');
    return { userId: customerOf(n), calls: [orderOf(distribution, 0, (line) => 1 + (line % 4))] };
  },
  /** Sends the same two requests as the order page, for the products and the fees. */
  open: (n: number): Run => {
    const distribution = 1 + (n % OPEN);
    return { userId: customerOf(n), calls: [read(distribution, 'products', PRODUCTS), read(distribution, 'fees', 2)] };
  },
  /** Changes three quantities of a placed order: seven of eight edits raise them, the eighth lowers them. */
  edit: (n: number): Run => editOf(0, n, [rising, rising, rising]),
  /** Like `edit`, but the first of the three lines is lowered when the others are raised, and raised when they are lowered. */
  editOneLower: (n: number): Run => editOf(1, n, [falling, rising, rising]),
  /** Like `edit`, but seven of eight edits lower all three quantities, and the eighth raises them. */
  editAllLower: (n: number): Run => editOf(2, n, [falling, falling, falling]),
  report: (): Run => ({ userId: DISTRIBUTOR, calls: [read(REPORTED.distribution, 'report', REPORTED.orders * LINES)] }),
  /** Signs in with the password that all customers of the data set have. */
  signIn: (n: number): Run => ({ userId: null, calls: [{ method: 'POST', path: '/api/login', body: JSON.stringify(credentials(n)) }] }),
  health: (): Run => ({ userId: null, calls: [{ method: 'GET', path: '/api/health' }] }),
  floorHealth: (): Run => ({ userId: null, calls: [{ method: 'GET', path: '/health' }] }),
} as const;
export type JobName = keyof typeof JOBS;

// Checks the database after a measurement: every acknowledged order exists once, with its lines and audit rows.
import type { Databases, Side } from './databases.ts';
import { CHANGED_LINES, EDITED } from '../jobs.ts';

export interface Counted {
  readonly acknowledged: number;
  readonly placed: number;
  /** The number of placed orders that do not have exactly twelve lines and twelve audit rows. */
  readonly wrong: number;
  /** The number of audit rows that are missing for edited orders; a negative number means too many audit rows. */
  readonly auditMissing: number;
}

const NAMES = {
  floor: { distribution: 'distribution_id', order: 'order_id', line: 'order_product_id' },
  ours: { distribution: '"distributionId"', order: '"orderId"', line: '"orderProductId"' },
};

export async function countOrders(databases: Databases, side: Side, begun: { placed: number; edited: number }): Promise<Counted> {
  const { distribution, order, line } = NAMES[side];
  const [row] = await databases.on(side, async (client) => {
    const { rows } = await client.query<{ placed: number; wrong: number; audit: number }>(
      `WITH l AS (SELECT ${order} AS id, count(DISTINCT l.id) AS lines, count(a.id) AS audit
         FROM order_products l LEFT JOIN order_product_audit a ON a.${line} = l.id GROUP BY 1)
       SELECT count(*) FILTER (WHERE o.${distribution} < $1)::int AS placed,
         count(*) FILTER (WHERE o.${distribution} < $1 AND (l.lines, l.audit) IS DISTINCT FROM (12, 12))::int AS wrong,
         coalesce(sum(l.audit - 12) FILTER (WHERE o.${distribution} = $1), 0)::int AS audit
       FROM orders o LEFT JOIN l ON l.id = o.id`,
      [EDITED.distribution],
    );
    return rows;
  });
  const { placed, wrong, audit } = row ?? { placed: 0, wrong: 0, audit: 0 };
  return { acknowledged: begun.placed, placed, wrong, auditMissing: begun.edited * CHANGED_LINES - audit };
}

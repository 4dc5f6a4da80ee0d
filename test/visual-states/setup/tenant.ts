// Creates the users of a data set, and returns products and distributions based on those of the demo.
import { CATALOGUE } from '../../../db/demo/catalogue.ts';
import type { CatalogueProduct } from '../../../db/demo/catalogue-rows.ts';
import type { DemoDistribution } from '../../../db/demo/distributions.ts';
import { insertContacts, insertPeople } from '../../../db/demo/load.ts';
import { insertPictures } from '../../../db/demo/pictures.ts';
import { ADMIN, AGENTS, demoCustomers, DISTRIBUTOR } from '../../../db/demo/people.ts';
import { saveOrganizationOf } from '../../../src/features/organization/queries.ts';
import type { Role } from '../../../src/domain/accounts/roles.ts';
import type { Person } from '../../test-app.ts';
import type { Who } from './visual-state.ts';
import type { TestDb } from '../../database/test-db.ts';

export interface Tenant {
  readonly distributorId: number;
  /** The ids of the customers. The first one is the user `customer`, and the second one is the user `neighbour`. */
  readonly customerIds: readonly number[];
  readonly agentIds: readonly number[];
  readonly people: Readonly<Record<Who, Person>>;
}

async function person(db: TestDb, role: Role, tenant: number | null, email: string): Promise<Person> {
  const [id = 0] = await insertPeople(db, role, tenant, [{ email }]);
  return { id, email, role };
}

/**
 * Creates an admin, a distributor with an organization, two agents, `customers` customers with contacts, and one customer without a
 * contact.
 */
export async function makeTenant(db: TestDb, customers: number): Promise<Tenant> {
  const admin = await person(db, 'admin', null, ADMIN.email);
  const { email, ...organization } = DISTRIBUTOR;
  const distributor = await person(db, 'distributor', null, email);
  await saveOrganizationOf(db, distributor.id, organization);
  await insertPictures(db, distributor.id);
  const agentIds = await insertPeople(db, 'agent', distributor.id, AGENTS);
  await insertContacts(db, agentIds, AGENTS);
  const known = demoCustomers(customers);
  const customerIds = await insertPeople(db, 'customer', distributor.id, known);
  await insertContacts(db, customerIds, known);
  const newcomer = await person(db, 'customer', distributor.id, 'tova.levin@mail.test');
  const customer = (place: number): Person => ({ id: customerIds[place] ?? 0, email: known[place]?.email ?? '', role: 'customer' });
  const agent: Person = { id: agentIds[0] ?? 0, email: AGENTS[0]?.email ?? '', role: 'agent' };
  const people = { admin, distributor, agent, customer: customer(0), neighbour: customer(1), newcomer };
  return { distributorId: distributor.id, customerIds, agentIds, people };
}

/**
 * Returns `count` products of the demo's catalogue: the first `perGroup` products of every group. If the catalogue has too few, the same
 * products follow in larger packs.
 */
export function products(count: number, perGroup = CATALOGUE.length): CatalogueProduct[] {
  const seen = new Map<string, number>();
  const firsts = CATALOGUE.filter(({ product_group }) => {
    const place = (seen.get(product_group) ?? 0) + 1;
    seen.set(product_group, place);
    return place <= perGroup;
  });
  return Array.from({ length: count }, (_, index) => {
    const product = firsts[index % firsts.length] as CatalogueProduct;
    const round = Math.floor(index / firsts.length);
    if (round === 0) return product;
    return { ...product, name: `${product.name}, pack of ${round + 1}`, product_code: product.product_code + round * 10_000 };
  });
}

const FEES: DemoDistribution['fees'] = [
  { name: 'Hall and ice', type: 'flat', sort_order: 0, amount: 500 },
  { name: 'Service', type: 'percent', sort_order: 1, amount: 300 },
];

/**
 * Returns the description of a distribution. By default, the distribution is published and open, every customer has an order, and no order
 * is weighed or paid.
 */
export const distribution = (values: Partial<DemoDistribution> & Pick<DemoDistribution, 'name' | 'date'>): DemoDistribution => ({
  published: true,
  orderingOpen: true,
  acceptActuals: false,
  fees: FEES,
  share: 1,
  weighed: 0,
  paid: 0,
  seed: 5787,
  ...values,
});

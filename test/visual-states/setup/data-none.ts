// Creates the data set of a tenant on its first day, which has users but no other records.
import { NOWHERE, type Places } from './visual-state.ts';
import { makeTenant, type Tenant } from './tenant.ts';
import type { TestDb } from '../../database/test-db.ts';

export async function makeNone(db: TestDb): Promise<Tenant & Places> {
  return { ...NOWHERE, ...(await makeTenant(db, 1)) };
}

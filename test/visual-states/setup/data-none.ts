// Creates the data set of a tenant on its first day, which has users but no other records.
import type { Db } from '../../../src/server/database/db.ts';
import { NOWHERE, type Places } from './visual-state.ts';
import { makeTenant, type Tenant } from './tenant.ts';

export async function makeNone(db: Db): Promise<Tenant & Places> {
  return { ...NOWHERE, ...(await makeTenant(db, 1)) };
}

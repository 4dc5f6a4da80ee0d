// A tenant on its first day: people, and nothing else.
import type { Db } from '../../src/server/db.ts';
import { NOWHERE, type Places } from './sight.ts';
import { makeTenant, type Tenant } from './tenant.ts';

export async function makeNone(db: Db): Promise<Tenant & Places> {
  return { ...NOWHERE, ...(await makeTenant(db, 1)) };
}

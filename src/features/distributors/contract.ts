// Distributors, listed and created by an admin (spec §2 admin dashboard, §7).
import * as z from 'zod/mini';
import { endpoint } from '../../shared/endpoint.ts';
import { Email, Id } from '../../shared/fields.ts';
import { HAS_ACCOUNT } from '../users/texts.ts';

export const Distributor = z.object({ id: Id, email: z.string() });
export type Distributor = z.infer<typeof Distributor>;

export const listDistributors = endpoint({
  method: 'GET',
  path: '/api/distributors',
  summary: 'Every distributor',
  roles: ['admin'],
  reply: z.array(Distributor),
});

export const createDistributor = endpoint({
  method: 'POST',
  path: '/api/distributors',
  summary: 'Create a distributor, who gets an invitation by mail',
  refusals: { 409: HAS_ACCOUNT },
  roles: ['admin'],
  body: z.object({ email: Email }),
  reply: Distributor,
  status: 201,
});

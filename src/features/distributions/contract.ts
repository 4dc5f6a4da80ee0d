// Distributions: dated ordering events with their three flags (spec §3, §4).
import * as z from 'zod/mini';
import { endpoint } from '../../shared/endpoint.ts';
import { CalendarDate, Id, requiredText } from '../../shared/fields.ts';
import { NAME } from './texts.ts';

export const Distribution = z.object({
  id: Id,
  distributorId: Id,
  name: z.string(),
  date: z.string(),
  published: z.boolean(),
  acceptActuals: z.boolean(),
  orderingOpen: z.boolean(),
});
export type Distribution = z.infer<typeof Distribution>;

export const NewDistribution = z.object({ name: requiredText(NAME), date: CalendarDate });

export const DistributionChange = z
  .partial(z.extend(NewDistribution, { published: z.boolean(), acceptActuals: z.boolean(), orderingOpen: z.boolean() }))
  .check(
    z.refine((change) => Object.keys(change).length > 0, 'Say what to change: name and date, published, orderingOpen or acceptActuals'),
  );
export type DistributionChange = z.infer<typeof DistributionChange>;

export const listDistributions = endpoint({
  method: 'GET',
  path: '/api/distributions',
  summary: 'The distributions that the viewer may see, newest date first',
  roles: ['distributor', 'agent', 'customer'],
  reply: z.array(Distribution),
});

export const readDistribution = endpoint({
  method: 'GET',
  path: '/api/distributions/:id',
  summary: 'One distribution',
  roles: ['distributor', 'agent', 'customer'],
  reply: Distribution,
});

export const createDistribution = endpoint({
  method: 'POST',
  path: '/api/distributions',
  summary: 'Create a distribution',
  roles: ['distributor'],
  body: NewDistribution,
  reply: Distribution,
  status: 201,
});

export const changeDistribution = endpoint({
  method: 'PATCH',
  path: '/api/distributions/:id',
  summary: 'Change name and date, or a flag; ordering can only be closed',
  roles: ['distributor'],
  body: DistributionChange,
  reply: Distribution,
});

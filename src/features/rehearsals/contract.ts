// The calls for rehearsals. A rehearsal is a copy of a distribution with invented families, with which staff practice (decision 26).
import { endpoint } from '../../shared/endpoint.ts';
import { Distribution } from '../distributions/contract.ts';
import { MAX_PRODUCTS } from '../products/contract.ts';
import { NOTHING_TO_ORDER, REHEARSAL_OF_REHEARSAL, THERE_IS_ONE } from './texts.ts';

export const startRehearsal = endpoint({
  method: 'POST',
  path: '/api/distributions/:id/rehearsal',
  summary: 'Copy a distribution with invented families and orders, in the middle of its day, to practice on',
  description:
    'The rehearsal accepts actual quantities, is closed for ordering and never published. Agents work on it as on any distribution. It sends no mail. `DELETE /api/distributions/{id}` with its own id deletes it with everything in it.',
  refusals: { 409: `${THERE_IS_ONE} ${NOTHING_TO_ORDER} ${REHEARSAL_OF_REHEARSAL}` },
  roles: ['distributor'],
  reply: Distribution,
  status: 201,
  idempotent: true,
  rows: MAX_PRODUCTS,
});

// This pipeline stage checks whether the viewer's role may call the endpoint. The route's own access check decides about the record.
import type { FastifyRequest } from 'fastify';
import type { Endpoint } from '../../../shared/endpoint.ts';
import { ADD_SECOND_FACTOR, MAY_NOT_TAKE_PAYMENTS } from '../../../shared/texts.ts';
import { forbidden, unauthenticated } from '../../errors.ts';
import type { Route } from './route.ts';
import type { Viewer } from '../../auth/session.ts';
import { authenticated } from './authenticate.ts';
import { stageResult } from './stage-result.ts';

/** The result of this stage is the viewer, or null for a signed-out client of a public endpoint. */
export const authorized = stageResult<Viewer | null>('authorize');

const REFUSALS: Record<NonNullable<Endpoint['agentPermission']>, string> = { mayTakePayments: MAY_NOT_TAKE_PAYMENTS };

export const authorize = ({ endpoint: { roles, agentPermission, isOpenBeforeSecondFactor } }: Route) =>
  async function authorize(request: FastifyRequest): Promise<void> {
    const viewer = authenticated.get(request)?.viewer ?? null;
    if (!roles.includes('public')) {
      if (!viewer) throw unauthenticated();
      if (!roles.includes(viewer.role)) throw forbidden();
      if (agentPermission && viewer.role === 'agent' && !viewer[agentPermission]) throw forbidden(REFUSALS[agentPermission]);
      if (viewer.mustAddSecondFactor && !isOpenBeforeSecondFactor) throw forbidden(ADD_SECOND_FACTOR);
    }
    authorized.set(request, viewer);
  };

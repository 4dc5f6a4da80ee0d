import { clockProblem, flagProblem, rehearsalProblem } from '../../domain/distribution.ts';
import { assertFound, conflict, throwIfOutdated, throwIfRefused } from '../../server/errors.ts';
import { on, onTransaction, type Route } from '../../server/http/pipeline/route.ts';
import { recordDistribution } from '../audit/queries.ts';
import { deleteRehearsal, deleteRehearsedLines } from '../rehearsals/queries.ts';
import { countEntries, moveHolds, settleAll } from '../waiting/queries.ts';
import { changeDistribution, createDistribution, deleteDistribution, listDistributions, readDistribution } from './contract.ts';
import {
  databaseTime,
  deleteDistributionOf,
  distributionFor,
  lockDistribution,
  listDistributionsFor,
  nextCatalogueVersion,
  refuseTooManyDistributions,
  saveDistribution,
  saveNewDistribution,
  preloadDistribution,
} from './queries.ts';
import { HAS_ORDERS, NOT_A_DRAFT } from './texts.ts';

export const distributionsRoutes: Route[] = [
  on(listDistributions, ({ db, viewer, signal }) => listDistributionsFor(db, viewer, signal)),
  on(readDistribution, async ({ preloaded }) => assertFound(preloaded, 'Distribution'), { sessionPreload: preloadDistribution }),
  onTransaction(createDistribution, async ({ db, viewer, body }) => {
    const saved = await saveNewDistribution(db, viewer, body);
    await refuseTooManyDistributions(db, viewer);
    await recordDistribution(db, viewer, null, saved);
    return await distributionFor(db, viewer, saved.id);
  }),
  onTransaction(
    deleteDistribution,
    async ({ db, viewer, params }) => {
      const distribution = await lockDistribution(db, viewer, params.id);
      if (distribution.rehearsal) return await deleteRehearsal(db, distribution);
      if (distribution.published) throw conflict(NOT_A_DRAFT);
      if (!(await deleteDistributionOf(db, distribution))) throw conflict(HAS_ORDERS);
    },
    {
      oneAtATime: 'distributions',
      refuseEarly: async ({ db, viewer, params, signal }) => {
        const { rehearsal } = await distributionFor(db, viewer, params.id);
        if (rehearsal) await deleteRehearsedLines(db, viewer, params.id, signal);
      },
    },
  ),
  onTransaction(
    changeDistribution,
    async ({ db, viewer, params, body: { before, ...change }, countRows }) => {
      const distribution = await lockDistribution(db, viewer, params.id);
      throwIfRefused(rehearsalProblem(change, distribution) ?? flagProblem(change, distribution), 409);
      throwIfOutdated(distribution.name, distribution, { before, after: change });
      const problem = clockProblem(change, distribution, await databaseTime(db));
      if (problem) throwIfRefused(problem.text, problem.status);
      const saved = await saveDistribution(db, distribution.id, change);
      // Cached product lists are sorted by `groupOrder`. A new value therefore needs a new catalogue version.
      if (change.groupOrder !== undefined) await nextCatalogueVersion(db, distribution.id);
      const isMoved = saved.opensAt !== distribution.opensAt || saved.closesAt !== distribution.closesAt;
      const isSwitched = saved.published !== distribution.published;
      if (isMoved || isSwitched) countRows({ changed: await countEntries(db, saved, null) });
      if (isMoved) await moveHolds(db, saved);
      if (isSwitched) await settleAll(db, saved);
      await recordDistribution(db, viewer, distribution, saved);
      return await distributionFor(db, viewer, saved.id);
    },
    // Publishing and unpublishing go through all waiting lists, so a person does not do so in several distributions at once.
    { oneAtATime: 'distributions' },
  ),
];

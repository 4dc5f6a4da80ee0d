import { clearAttempts } from '../../server/auth/account-lock.ts';
import { endSessions } from '../../server/auth/session.ts';
import type { Db } from '../../server/database/db.ts';
import type { Row } from '../../server/database/schema.ts';
import { conflict } from '../../server/errors.ts';
import { on, onTransaction, type Route, type RouteContext } from '../../server/http/pipeline/route.ts';
import { removeUnconfirmedElsewhere } from '../unused-customers/queries.ts';
import { inviteAll, setDisabled } from '../users/queries.ts';
import { HAS_ACCOUNT } from '../users/texts.ts';
import {
  createDistributor,
  disableDistributor,
  enableDistributor,
  listDistributors,
  listDistributorStates,
  signOutDistributor,
  unlockDistributor,
  type DistributorAct,
} from './contract.ts';
import {
  distributorFor,
  enableWithPeople,
  findDistributors,
  findDistributorStates,
  lockAgents,
  recordDistributorAct,
  saveNewDistributor,
  stopDistributor,
} from './queries.ts';

type OnDistributor = typeof disableDistributor | typeof enableDistributor | typeof signOutDistributor | typeof unlockDistributor;

/**
 * Runs a change of one distributor's access, and records who made it. The agents are locked before the distributor, because changes of an
 * agent lock the agent first.
 */
const changing =
  (act: DistributorAct, change: (db: Db, distributor: Row<'users'>, now: Date) => Promise<void>) =>
  async ({ db, params, viewer, now }: RouteContext<OnDistributor>) => {
    await lockAgents(db, params.distributorId);
    const distributor = await distributorFor(db, params.distributorId);
    await change(db, distributor, now);
    await recordDistributorAct(db, act, { id: distributor.id, by: viewer.userId });
  };

export const distributorsRoutes: Route[] = [
  on(listDistributors, ({ db }) => findDistributors(db)),
  on(listDistributorStates, ({ db, now }) => findDistributorStates(db, now)),

  onTransaction(createDistributor, async ({ db, viewer, body, now }) => {
    const { email } = body;
    await removeUnconfirmedElsewhere(db, { email, distributorId: null, now });
    const distributor = await saveNewDistributor(db, email);
    if (!distributor) throw conflict(HAS_ACCOUNT);
    await inviteAll(db, viewer, [distributor.id], now);
    return distributor;
  }),

  onTransaction(
    disableDistributor,
    changing('disable', async (db, { id, disabledAt }, now) => {
      // If the distributor is disabled already, disabledAt must keep its time. Enabling the distributor later uses this time to find the
      // people who were disabled together with the distributor.
      if (disabledAt === null) await setDisabled(db, id, now);
      await endSessions(db, id);
      await stopDistributor(db, id);
    }),
  ),
  onTransaction(
    enableDistributor,
    changing('enable', (db, { id }) => enableWithPeople(db, id)),
  ),
  onTransaction(
    signOutDistributor,
    changing('sign-out', (db, { id }) => endSessions(db, id)),
  ),
  onTransaction(unlockDistributor, changing('unlock', clearAttempts)),
];

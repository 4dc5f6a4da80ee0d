import { clearAttempts } from '../../server/auth/sign-in-attempts.ts';
import { endSessions } from '../../server/auth/session.ts';
import { transaction, type Db } from '../../server/database/db.ts';
import type { Row } from '../../server/database/schema.ts';
import { conflict } from '../../server/http/errors.ts';
import { on, type Route, type RouteContext } from '../../server/http/pipeline/route.ts';
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
  recordDistributorAct,
  saveNewDistributor,
  stopDistributor,
} from './queries.ts';

type OnDistributor = typeof disableDistributor | typeof enableDistributor | typeof signOutDistributor | typeof unlockDistributor;

/** Runs a change of one distributor's access, and records in the same transaction who made it. */
const changing =
  (act: DistributorAct, change: (db: Db, distributor: Row<'users'>, now: Date) => Promise<void>) =>
  ({ db, params, viewer, now }: RouteContext<OnDistributor>) =>
    transaction(db, async (db) => {
      const distributor = await distributorFor(db, params.distributorId);
      await change(db, distributor, now);
      await recordDistributorAct(db, act, { id: distributor.id, by: viewer.userId });
    });

export const distributorsRoutes: Route[] = [
  on(listDistributors, ({ db }) => findDistributors(db)),
  on(listDistributorStates, ({ db, now }) => findDistributorStates(db, now)),

  on(createDistributor, ({ db, viewer, body, now }) =>
    transaction(db, async (db) => {
      const distributor = await saveNewDistributor(db, body.email);
      if (!distributor) throw conflict(HAS_ACCOUNT);
      await inviteAll(db, viewer, [distributor.id], now);
      return distributor;
    }),
  ),

  on(
    disableDistributor,
    changing('disable', async (db, { id, disabledAt }, now) => {
      // If the distributor is disabled already, disabledAt must keep its time, because enabling finds the people who were locked out
      // together with the distributor by this time.
      if (disabledAt === null) await setDisabled(db, id, now);
      await endSessions(db, id);
      await stopDistributor(db, id);
    }),
  ),
  on(
    enableDistributor,
    changing('enable', (db, { id }) => enableWithPeople(db, id)),
  ),
  on(
    signOutDistributor,
    changing('sign-out', (db, { id }) => endSessions(db, id)),
  ),
  on(unlockDistributor, changing('unlock', clearAttempts)),
];

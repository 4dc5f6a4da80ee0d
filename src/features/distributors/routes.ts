import { transaction } from '../../server/database/db.ts';
import { conflict } from '../../server/http/errors.ts';
import { on, type Route } from '../../server/http/pipeline/route.ts';
import { inviteAll } from '../users/queries.ts';
import { createDistributor, listDistributors } from './contract.ts';
import { findDistributors, saveNewDistributor } from './queries.ts';
import { HAS_ACCOUNT } from '../users/texts.ts';

export const distributorsRoutes: Route[] = [
  on(listDistributors, ({ db }) => findDistributors(db)),
  on(createDistributor, ({ db, viewer, body, now }) =>
    transaction(db, async (db) => {
      const distributor = await saveNewDistributor(db, body.email);
      if (!distributor) throw conflict(HAS_ACCOUNT);
      await inviteAll(db, viewer, [distributor.id], now);
      return distributor;
    }),
  ),
];

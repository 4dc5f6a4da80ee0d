import { join } from 'node:path';
import { transaction } from '../../server/database/db.ts';
import { on, type Route } from '../../server/http/pipeline/route.ts';
import { deleteMailFiles } from '../../server/mail/mail-files.ts';
import { recordUserAction } from '../audit/queries.ts';
import { checkForgetting, forgetCustomer } from './contract.ts';
import { assertStillSettled, eraseCustomer, forgettingRefusal, lockCustomerAndOrders, prepareForgetting } from './queries.ts';
import { HOUR } from '../../domain/durations.ts';

export const formerCustomersRoutes: Route[] = [
  on(checkForgetting, async ({ env, now, ...context }) => {
    const { backupHours, backupKeep } = env;
    const inBackupsUntil = backupHours === 0 ? null : new Date(now.getTime() + backupHours * backupKeep * HOUR).toISOString();
    return { refusal: await forgettingRefusal(context), inBackupsUntil };
  }),

  on(
    forgetCustomer,
    async ({ db, viewer, env, params: { userId }, now, log, checked }) => {
      const mails = await transaction(db, async (db) => {
        const customer = await lockCustomerAndOrders(db, viewer, userId);
        await assertStillSettled(db, viewer, customer, checked);
        const erased = await eraseCustomer(db, viewer, customer, { now, checked });
        await recordUserAction(db, viewer, 'forget', customer);
        return erased;
      });
      // If deleting the files fails now, they are deleted within an hour (server/mail/mail-files.ts).
      await deleteMailFiles(join(env.dataDir, 'mail'), mails).catch((error: unknown) =>
        log.warn({ err: error }, 'mail files are deleted later'),
      );
    },
    { refuseEarly: prepareForgetting },
  ),
];

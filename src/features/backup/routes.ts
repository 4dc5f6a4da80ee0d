import { on, type Route } from '../../server/http/pipeline/route.ts';
import { readBackup } from './contract.ts';
import { findLastBackup } from './queries.ts';

export const backupRoutes: Route[] = [
  on(readBackup, async ({ db, env }) => ({
    ...(await findLastBackup(db)),
    everyHours: env.backupHours,
    isCopied: env.backupCommand !== null,
    drillDays: env.backupHours === 0 ? 0 : env.restoreDrillDays,
  })),
];

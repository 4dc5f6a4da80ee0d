import { on, ReplyWithStatus, type Route } from '../../server/http/pipeline/route.ts';
import { readJoinLink, readOrganization, renewJoinLink, saveOrganization, saveTimeZone, stopJoinLink } from './contract.ts';
import { findJoinCode, findOrganization, newJoinCode, saveJoinCode, saveOrganizationOf, saveTimeZoneOf } from './queries.ts';

const joinUrl = (publicUrl: string, code: string | null): string | null => (code === null ? null : `${publicUrl}/auth?join=${code}`);

export const organizationRoutes: Route[] = [
  on(readOrganization, ({ db, viewer }) => findOrganization(db, viewer.tenantId)),
  on(saveOrganization, async ({ db, viewer, body }) => {
    const { isNew, saved } = await saveOrganizationOf(db, viewer.tenantId, body);
    return new ReplyWithStatus(isNew ? 201 : 200, saved);
  }),
  on(saveTimeZone, async ({ db, viewer, body }) => {
    await saveTimeZoneOf(db, viewer.tenantId, body.timeZone);
    return await findOrganization(db, viewer.tenantId);
  }),
  on(readJoinLink, async ({ db, viewer, env }) => ({ url: joinUrl(env.publicUrl, await findJoinCode(db, viewer.tenantId)) })),
  on(renewJoinLink, async ({ db, viewer, env }) => {
    const code = newJoinCode();
    await saveJoinCode(db, viewer.tenantId, code);
    return { url: joinUrl(env.publicUrl, code) };
  }),
  on(stopJoinLink, ({ db, viewer }) => saveJoinCode(db, viewer.tenantId, null)),
];

import { on, ReplyWithStatus, type Route } from '../../server/http/pipeline/route.ts';
import type { BodyOf } from '../../shared/endpoint.ts';
import {
  readJoinLink,
  readOrganization,
  renewJoinLink,
  saveOrganization,
  saveTimeZone,
  stopJoinLink,
  type Organization,
} from './contract.ts';
import { findJoinCode, findOrganization, newJoinCode, saveJoinCode, saveOrganizationOf, saveTimeZoneOf } from './queries.ts';

const joinUrl = (publicUrl: string, code: string | null): string | null => (code === null ? null : `${publicUrl}/auth?join=${code}`);

/** Returns the fields that the request saves: those that `changed` names or, without `changed`, all fields of the request. */
const changeIn = ({ before: _before, changed, timeZone, ...texts }: BodyOf<typeof saveOrganization>): Partial<Organization> =>
  Object.fromEntries(
    Object.entries({ ...texts, ...(timeZone !== undefined && { timeZone }) }).filter(
      ([name]) => changed?.includes(name as keyof Organization) ?? true,
    ),
  );

export const organizationRoutes: Route[] = [
  on(readOrganization, ({ db, viewer }) => findOrganization(db, viewer.tenantId)),
  on(saveOrganization, async ({ db, viewer, body }) => {
    const { isNew, saved } = await saveOrganizationOf(db, viewer.tenantId, changeIn(body), body.before);
    return new ReplyWithStatus(isNew ? 201 : 200, saved);
  }),
  on(saveTimeZone, async ({ db, viewer, body }) => {
    return (await saveTimeZoneOf(db, viewer.tenantId, body.timeZone, body.before)).saved;
  }),
  on(readJoinLink, async ({ db, viewer, env }) => ({ url: joinUrl(env.publicUrl, await findJoinCode(db, viewer.tenantId)) })),
  on(renewJoinLink, async ({ db, viewer, env }) => {
    const code = newJoinCode();
    await saveJoinCode(db, viewer.tenantId, code);
    return { url: joinUrl(env.publicUrl, code) };
  }),
  on(stopJoinLink, ({ db, viewer }) => saveJoinCode(db, viewer.tenantId, null)),
];

// The calls for the distributor's name, postal address and time zone, and for the join link (contract §3).
import * as z from 'zod/mini';
import { endpoint } from '../../shared/endpoint.ts';
import { Before, nullableText, requiredText } from '../../shared/fields.ts';
import { isTimeZone } from '../../shared/zoned-time.ts';
import { outdatedText } from '../../shared/texts.ts';
import { NOT_A_TIME_ZONE, THE_ORGANIZATION } from './texts.ts';

/** The IANA name of a time zone that this runtime knows; null if none is chosen. */
const TimeZone = z.nullable(z.string(NOT_A_TIME_ZONE).check(z.maxLength(100, NOT_A_TIME_ZONE), z.refine(isTimeZone, NOT_A_TIME_ZONE)));

/** Only the name is required. An empty string of another field becomes null. If `timeZone` is absent, the saved time zone stays. */
export const OrganizationFields = z.object({
  name: requiredText('Organization name'),
  address: nullableText('Address'),
  city: nullableText('City'),
  state: nullableText('State'),
  zip: nullableText('ZIP code'),
  phone: nullableText('Phone number'),
  timeZone: z.optional(TimeZone),
});

/**
 * The organization as the dialog saves it. `changed` names the fields that the user has changed: the others keep their saved values.
 * Without `changed`, all fields are saved.
 */
const SavedOrganization = z.extend(OrganizationFields, {
  changed: z.optional(z.array(z.keyof(OrganizationFields)).check(z.maxLength(Object.keys(OrganizationFields.shape).length))),
  before: Before,
});

const TextOrNull = z.nullable(z.string());

export const Organization = z.object({
  name: TextOrNull,
  address: TextOrNull,
  city: TextOrNull,
  state: TextOrNull,
  zip: TextOrNull,
  phone: TextOrNull,
  /** The time zone in which users type and see the times of distributions (contract §11). */
  timeZone: TextOrNull,
});
export type Organization = z.infer<typeof Organization>;

export const readOrganization = endpoint({
  method: 'GET',
  path: '/api/organization',
  summary: 'The own name, postal address and time zone',
  roles: ['distributor'],
  reply: Organization,
});

export const saveTimeZone = endpoint({
  method: 'PATCH',
  path: '/api/organization',
  summary: 'Change the own time zone, also before there is a name',
  roles: ['distributor'],
  refusals: { 409: outdatedText(THE_ORGANIZATION) },
  body: z.object({ timeZone: TimeZone, before: Before }),
  reply: Organization,
});

export const saveOrganization = endpoint({
  method: 'POST',
  path: '/api/organization',
  summary: 'Save the own name and postal address, and the time zone where it is given: 201 the first time, 200 later',
  description: 'With `changed`, only the fields that it names replace saved values.',
  refusals: { 409: outdatedText(THE_ORGANIZATION) },
  roles: ['distributor'],
  body: SavedOrganization,
  reply: Organization,
  status: 201,
  statusOfChange: 200,
});

/** The URL to share, or null while joining is off. */
const JoinLink = z.object({ url: z.nullable(z.string()) });

export const readJoinLink = endpoint({
  method: 'GET',
  path: '/api/join-link',
  summary: 'The link by which customers join',
  roles: ['distributor'],
  reply: JoinLink,
});

export const renewJoinLink = endpoint({
  method: 'POST',
  path: '/api/join-link',
  summary: 'Make a new join link; the one before stops working',
  roles: ['distributor'],
  reply: JoinLink,
  status: 201,
});

export const stopJoinLink = endpoint({
  method: 'DELETE',
  path: '/api/join-link',
  summary: 'Turn joining off',
  roles: ['distributor'],
  status: 204,
});

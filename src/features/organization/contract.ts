// The distributor's name and postal address, and the join link (contract §3).
import * as z from 'zod/mini';
import { endpoint } from '../../shared/endpoint.ts';
import { nullableText, requiredText } from '../../shared/fields.ts';

/** All other fields are optional: an empty string becomes null. */
export const OrganizationFields = z.object({
  name: requiredText('Organization name'),
  address: nullableText('Address'),
  city: nullableText('City'),
  state: nullableText('State'),
  zip: nullableText('ZIP code'),
  phone: nullableText('Phone number'),
});

const TextOrNull = z.nullable(z.string());

export const Organization = z.object({
  name: TextOrNull,
  address: TextOrNull,
  city: TextOrNull,
  state: TextOrNull,
  zip: TextOrNull,
  phone: TextOrNull,
});
export type Organization = z.infer<typeof Organization>;

export const readOrganization = endpoint({
  method: 'GET',
  path: '/api/organization',
  summary: 'The own name and postal address, for prints and mails',
  roles: ['distributor'],
  reply: Organization,
});

export const saveOrganization = endpoint({
  method: 'POST',
  path: '/api/organization',
  summary: 'Save the own name and postal address: 201 the first time, 200 later',
  roles: ['distributor'],
  body: OrganizationFields,
  reply: Organization,
  status: 201,
});

/** The URL to share, or null while joining is off. */
export const JoinLink = z.object({ url: z.nullable(z.string()) });

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

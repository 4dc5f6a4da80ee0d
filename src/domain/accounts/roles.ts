// Defines the four roles and the home page of each role (spec §1, §2).

export const ROLES = ['admin', 'distributor', 'customer', 'agent'] as const;
export type Role = (typeof ROLES)[number];

const HOMES = { admin: '/', distributor: '/distributor', customer: '/customer', agent: '/agent' } as const satisfies Record<Role, string>;

/** Returns the path of the page that a user of this role sees after signing in. */
export const homeOf = (role: Role): string => HOMES[role];

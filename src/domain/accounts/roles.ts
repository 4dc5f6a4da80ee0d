// The four roles and each role's home page (spec §1, §2).

export const ROLES = ['admin', 'distributor', 'customer', 'agent'] as const;
export type Role = (typeof ROLES)[number];

const HOMES = { admin: '/', distributor: '/distributor', customer: '/customer', agent: '/agent' } as const satisfies Record<Role, string>;

/** The path that a role is sent to after signing in. */
export const homeOf = (role: Role): string => HOMES[role];

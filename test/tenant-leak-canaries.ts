// Detects data of other tenants. The e-mail address of every test user contains a marker of the user's tenant. The tests search every
// reply, mail and page for the markers of other tenants (reliability R2).

const WORD = /@(t\d+)\.test\.example/g;

export const tenantCanary = (email: string): string | null => /@(t\d+)\.test\.example$/.exec(email)?.[1] ?? null;

/**
 * Returns the markers of other tenants in a text that the user `email` has received. Markers that the user has sent in `written` are
 * ignored. If the user is signed out or has no marker, all markers in the text must belong to one tenant.
 */
export function foreignCanariesIn(email: string | null, text: string, written = ''): string[] {
  const found = new Set([...text.matchAll(WORD)].map(([, word = '']) => word));
  const own = email === null ? null : tenantCanary(email);
  if (own === null && found.size === 1) return [];
  return [...found].filter((word) => word !== own && !written.includes(`@${word}.`));
}

const leaks: string[] = [];

/** Notes the markers of other tenants in a text, so that the test fails at its end. */
export function recordForeignCanaries(
  email: string | null,
  text: string,
  { written = '', what }: { written?: string; what: string },
): void {
  const foreign = foreignCanariesIn(email, text, written);
  if (foreign.length > 0) leaks.push(`${what} for ${email ?? 'nobody'} carries ${foreign.join(', ')}: ${text.slice(0, 300)}`);
}

/** Returns the messages about markers that were noted since the last call. */
export const takeFoundCanaries = (): string[] => leaks.splice(0);

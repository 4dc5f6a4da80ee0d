// The e-mail address of every test user contains a marker of its tenant. Every reply, mail and page is searched for the markers of other
// tenants (reliability R2).

const WORD = /@(t\d+)\.test\.example/g;

export const tenantCanary = (email: string): string | null => /@(t\d+)\.test\.example$/.exec(email)?.[1] ?? null;

/**
 * Finds markers of other tenants in what the user `email` receives, except in what that user wrote. For signed-out users and invented
 * e-mail addresses, all markers must belong to one tenant.
 */
export function foreignCanariesIn(email: string | null, text: string, written = ''): string[] {
  const found = new Set([...text.matchAll(WORD)].map(([, word = '']) => word));
  const own = email === null ? null : tenantCanary(email);
  if (own === null && found.size === 1) return [];
  return [...found].filter((word) => word !== own && !written.includes(`@${word}.`));
}

const leaks: string[] = [];

/** Records the markers of other tenants that a text contains, until the test ends. */
export function recordForeignCanaries(
  email: string | null,
  text: string,
  { written = '', what }: { written?: string; what: string },
): void {
  const foreign = foreignCanariesIn(email, text, written);
  if (foreign.length > 0) leaks.push(`${what} for ${email ?? 'nobody'} carries ${foreign.join(', ')}: ${text.slice(0, 300)}`);
}

/** Returns the markers that were recorded since the last call. */
export const takeFoundCanaries = (): string[] => leaks.splice(0);

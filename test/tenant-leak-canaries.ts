// Everybody that a test makes carries a word of the own distributor in the e-mail address. Whatever is answered, mailed or shown to one
// person is searched for the words of others (reliability R2).

const WORD = /@(t\d+)\.test\.example/g;

export const tenantCanary = (email: string): string | null => /@(t\d+)\.test\.example$/.exec(email)?.[1] ?? null;

/**
 * The words of other tenants in what is for `email`, but for what that person wrote. Of nobody, and of an address that a test made up,
 * nothing more is known than that it is of one tenant.
 */
export function foreignCanariesIn(email: string | null, text: string, written = ''): string[] {
  const found = new Set([...text.matchAll(WORD)].map(([, word = '']) => word));
  const own = email === null ? null : tenantCanary(email);
  if (own === null && found.size === 1) return [];
  return [...found].filter((word) => word !== own && !written.includes(`@${word}.`));
}

const leaks: string[] = [];

/** Keeps what must not be there until the test ends. */
export function recordForeignCanaries(
  email: string | null,
  text: string,
  { written = '', what }: { written?: string; what: string },
): void {
  const foreign = foreignCanariesIn(email, text, written);
  if (foreign.length > 0) leaks.push(`${what} for ${email ?? 'nobody'} carries ${foreign.join(', ')}: ${text.slice(0, 300)}`);
}

/** What was found since the last time it was asked for. */
export const takeFoundCanaries = (): string[] => leaks.splice(0);

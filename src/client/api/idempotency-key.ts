export interface RetryKeys {
  keyFor(identity: string): string;
  forget(identity: string): void;
}

/**
 * Stores the idempotency keys of saves that got no response. A retry of the same save reuses its key until the server has responded
 * (contract §2).
 */
export function createRetryKeys(): RetryKeys {
  const unanswered = new Map<string, string>();
  return {
    keyFor(identity) {
      const key = unanswered.get(identity) ?? randomKey();
      unanswered.set(identity, key);
      return key;
    },
    forget: (identity) => void unanswered.delete(identity),
  };
}

export function randomKey(): string {
  // randomUUID exists only in secure contexts, and Feastday may be served over plain http.
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

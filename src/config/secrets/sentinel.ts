/** The stored value of a secret stays as it is when this comes back. */
export const redactedSentinel = '***REDACTED***';

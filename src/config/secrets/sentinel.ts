import { isJsonObject } from '../../base/json.js';

/** The stored value of a secret stays as it is when this comes back. */
export const redactedSentinel = '***REDACTED***';

/** True when the value holds a sentinel somewhere. */
export function holdsSentinel(value: unknown): boolean {
  if (typeof value === 'string') {
    return value.includes(redactedSentinel);
  }
  if (Array.isArray(value)) {
    return value.some(holdsSentinel);
  }
  return isJsonObject(value) && Object.values(value).some(holdsSentinel);
}

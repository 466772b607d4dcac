import type { JsonObject } from '../../../src/base/json.js';
import type { KeptRecord } from '../../../src/mcp/registry/packageOrigins.js';

/** Is kept as long as the test. */
export function fakeRecord(value: JsonObject = {}): KeptRecord {
  let kept = value;
  return {
    read: () => kept,
    write: async (changed) => {
      kept = changed;
    },
  };
}

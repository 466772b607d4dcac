import type { StandardSchemaV1 } from '@modelcontextprotocol/client';
import { isJsonObject, type JsonObject } from '../../../base/json.js';

/** Takes any object: what is in it is looked at item by item, where it is used. */
export const anyObject: StandardSchemaV1<JsonObject, JsonObject> = {
  '~standard': {
    version: 1,
    vendor: 'pi-mcp',
    validate: (value) =>
      isJsonObject(value) ? { value } : { issues: [{ message: 'Not a JSON object' }] },
  },
};

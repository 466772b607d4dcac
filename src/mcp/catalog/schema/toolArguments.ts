import { asObject, isJsonObject, type JsonObject, mapValues } from '../../../base/json.js';

/** Models sometimes send an object or array as JSON text; parses it where the schema wants exactly that. */
export function parseStringifiedArguments(schema: JsonObject, args: unknown): JsonObject {
  if (!isJsonObject(args)) {
    return {};
  }
  const properties = asObject(schema.properties);
  return mapValues(args, (value, name) => parseIfWanted(properties[name], value));
}

function parseIfWanted(schema: unknown, value: unknown): unknown {
  const type = asObject(schema).type;
  if (typeof value !== 'string' || (type !== 'object' && type !== 'array')) {
    return value;
  }
  try {
    const parsed: unknown = JSON.parse(value);
    const fits = type === 'array' ? Array.isArray(parsed) : isJsonObject(parsed);
    return fits ? parsed : value;
  } catch {
    // not JSON: the validator says what is wrong with it
    return value;
  }
}

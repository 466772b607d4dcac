/** What a user writes into the form of a tool, as the arguments of its call. */
import type { JsonObject } from '../base/json.js';
import type {
  ElicitationContent,
  ElicitationField,
} from '../mcp/connection/reading/elicitationForm.js';

/** Fields that were left empty are no arguments. @throws for a field of JSON that holds none. */
export function argumentsOf(
  fields: readonly ElicitationField[],
  content: ElicitationContent,
): JsonObject {
  const known = fields.filter(({ name }) => Object.hasOwn(content, name));
  return Object.fromEntries(
    known.map(({ name, kind }): [string, unknown] => {
      const value = content[name];
      return [name, kind === 'json' ? JSON.parse(String(value)) : value];
    }),
  );
}

import type { JsonObject } from '../../base/json.js';
import { defined } from '../../base/json.js';
import type { ConfigInput } from '../definition.js';

/** As the `inputs` of a file declare it. A default of a secret stays where it is. */
export function declarationOf(input: ConfigInput): JsonObject {
  const { id, description, isPassword, defaultValue, options } = input;
  return defined({
    id,
    type: options ? 'pickString' : 'promptString',
    description,
    options,
    password: isPassword || undefined,
    default: isPassword ? undefined : defaultValue,
  });
}

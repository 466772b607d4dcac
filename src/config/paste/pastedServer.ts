import type { JsonObject } from '../../base/json.js';
import type { ConfigInput } from '../definition.js';

export interface PastedServer {
  readonly name: string;
  /** As it would stand in a configuration file. */
  readonly entry: JsonObject;
  /** That its block declares. Default: none. */
  readonly declared?: readonly ConfigInput[];
}

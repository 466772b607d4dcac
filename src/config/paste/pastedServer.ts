import type { JsonObject } from '../../base/json.js';

export interface PastedServer {
  readonly name: string;
  /** As it would stand in a configuration file. */
  readonly entry: JsonObject;
}

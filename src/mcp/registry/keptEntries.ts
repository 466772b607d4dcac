import { asObject, isJsonObject, type JsonObject } from '../../base/json.js';
import type { KeptValue } from '../../platform/ports.js';

/** Entries of one value that is kept, of which the oldest give way. */
export class KeptEntries {
  constructor(
    private readonly kept: KeptValue,
    private readonly most: number,
  ) {}

  get(key: string): JsonObject | undefined {
    const { all } = this;
    const one = Object.hasOwn(all, key) ? all[key] : undefined;
    return isJsonObject(one) ? one : undefined;
  }

  async set(key: string, one: JsonObject): Promise<void> {
    const { [key]: _before, ...others } = this.all;
    const newest = Object.entries(others).slice(1 - this.most);
    await this.kept.remember(Object.fromEntries([...newest, [key, one]]));
  }

  private get all(): JsonObject {
    const all = this.kept.recall();
    return asObject(all);
  }
}

import type { JsonObject } from '../../../base/json.js';
import { outlineTool } from './toolOutline.js';

const limits = { description: 0, parameter: 120, parameters: 30 };

/**
 * Tells who called a tool in vain what it takes. Of one conversation, or of one client: each tool's parameters are told
 * once, since who calls keeps what it has read.
 */
export class ParameterHelp {
  private readonly told = new Set</* name */ string>();

  /** @returns undefined where it was told before. */
  textFor(name: string, schema: JsonObject): string | undefined {
    if (this.told.has(name)) {
      return undefined;
    }
    this.told.add(name);
    return `Parameters of ${outlineTool({ name, description: '', schema }, limits)}`;
  }
}

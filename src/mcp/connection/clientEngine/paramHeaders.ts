import * as l10n from '@vscode/l10n';
import { isJsonObject } from '../../../base/json.js';
import type { McpTool } from '../../mcpTypes.js';

const annotation = 'x-mcp-header';
const headerTypes = new Set<unknown>(['string', 'integer', 'boolean']);
const headerName = /^[\w!#$%&'*+.^`|~-]+$/;
/** Deeper schemas are not looked into. */
const maxDepth = 64;

/**
 * What is wrong with a tool's annotations of parameters that are to be sent as headers (SEP-2243); such a tool must
 * not be used. `undefined`: nothing, or it has none.
 */
export function paramHeaderFault(tool: McpTool): string | undefined {
  const isWrong = !new HeaderScan().accepts(tool.inputSchema, true, 0);
  return isWrong
    ? l10n.t('The tool "{0}" is left out: it maps parameters to headers in a wrong way.', tool.name)
    : undefined;
}

class HeaderScan {
  private readonly names = new Set<string>();

  /** @param isReachable only named properties lie between the node and the root. */
  accepts(node: unknown, isReachable: boolean, depth: number): boolean {
    if (depth > maxDepth) {
      return true;
    }
    if (Array.isArray(node)) {
      return node.every((item) => this.accepts(item, false, depth + 1));
    }
    if (!isJsonObject(node)) {
      return true;
    }
    if (annotation in node && !this.acceptsName(node[annotation], node.type, isReachable, depth)) {
      return false;
    }
    return Object.entries(node).every(([key, value]) => {
      if (key === 'properties' && isJsonObject(value)) {
        return Object.values(value).every((item) => this.accepts(item, isReachable, depth + 1));
      }
      return isData(key) || this.accepts(value, false, depth + 1);
    });
  }

  private acceptsName(name: unknown, type: unknown, isReachable: boolean, depth: number): boolean {
    const isFit =
      isReachable &&
      depth > 0 &&
      typeof name === 'string' &&
      headerName.test(name) &&
      headerTypes.has(type) &&
      !this.names.has(name.toLowerCase());
    if (isFit) {
      this.names.add(name.toLowerCase());
    }
    return isFit;
  }
}

/** Keywords whose values are no schemas. */
function isData(key: string): boolean {
  return ['default', 'const', 'enum', 'examples', 'required', annotation].includes(key);
}

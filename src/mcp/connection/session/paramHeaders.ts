/** Parameters of tools that are sent as headers as well (SEP-2243), as the schema of a tool asks for it. */
import * as l10n from '@vscode/l10n';
import { isJsonObject, type JsonObject } from '../../../base/json.js';
import { nameToken } from '../../../base/text/nameToken.js';
import type { McpTool } from '../../mcpTypes.js';

const annotation = 'x-mcp-header';
const headerTypes = new Set<unknown>(['string', 'integer', 'boolean']);
const sentTypes = ['string', 'boolean'];
const headerName = /^[\w!#$%&'*+.^`|~-]+$/;
/** Text that a header carries as it is: it is not empty and has no spaces at its ends. */
const plainValue = /^[!-~](?:[\t -~]*[!-~])?$/;
const encodedValue = /^=\?base64\?.*\?=$/;
/** Deeper schemas are not looked into. */
const maxDepth = 64;

/**
 * What is wrong with a tool's annotations of parameters; such a tool must not be used. `undefined`: nothing, or it has
 * none.
 */
export function paramHeaderFault(tool: McpTool): string | undefined {
  return new HeaderScan(tool.inputSchema).isValid
    ? undefined
    : l10n.t(
        'The tool "{0}" is left out: it maps parameters to headers in a wrong way.',
        nameToken(tool.name),
      );
}

/** What is sent with a call of the tool. */
export function paramHeaders(tool: McpTool, args: JsonObject): Readonly<Record<string, string>> {
  const scan = new HeaderScan(tool.inputSchema);
  const headers: Record<string, string> = {};
  for (const { name, path } of scan.isValid ? scan.found : []) {
    const value = path.reduce<unknown>((at, key) => (isJsonObject(at) ? at[key] : undefined), args);
    const isSent = typeof value === 'number' ? isExact(value) : sentTypes.includes(typeof value);
    if (isSent) {
      headers[`Mcp-Param-${name}`] = encode(String(value));
    }
  }
  return headers;
}

class HeaderScan {
  readonly found: { readonly name: string; readonly path: readonly string[] }[] = [];
  readonly isValid: boolean;

  constructor(schema: unknown) {
    this.isValid = this.accepts(schema, [], 0);
  }

  /** @param path of properties from the root; undefined where anything else lies in between. */
  private accepts(node: unknown, path: readonly string[] | undefined, depth: number): boolean {
    if (depth > maxDepth) {
      return true;
    }
    if (Array.isArray(node)) {
      return node.every((item) => this.accepts(item, undefined, depth + 1));
    }
    if (!isJsonObject(node)) {
      return true;
    }
    if (annotation in node && !this.acceptsName(node[annotation], node.type, path)) {
      return false;
    }
    return Object.entries(node).every(([key, value]) => {
      if (key === 'properties' && isJsonObject(value)) {
        return Object.entries(value).every(([name, item]) =>
          this.accepts(item, path && [...path, name], depth + 1),
        );
      }
      return isData(key) || this.accepts(value, undefined, depth + 1);
    });
  }

  private acceptsName(name: unknown, type: unknown, path: readonly string[] | undefined): boolean {
    const isFit =
      path !== undefined &&
      path.length > 0 &&
      typeof name === 'string' &&
      headerName.test(name) &&
      headerTypes.has(type) &&
      !this.found.some((other) => other.name.toLowerCase() === name.toLowerCase());
    if (isFit) {
      this.found.push({ name, path });
    }
    return isFit;
  }
}

/** Keywords whose values are no schemas. */
function isData(key: string): boolean {
  return ['default', 'const', 'enum', 'examples', 'required', annotation].includes(key);
}

function isExact(value: number): boolean {
  return Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
}

function encode(value: string): string {
  return plainValue.test(value) && !encodedValue.test(value)
    ? value
    : `=?base64?${Buffer.from(value).toString('base64')}?=`;
}

/** Where in a configuration file the cursor stands, as far as completion has something to say there. */
import { getLocation } from 'jsonc-parser';
import type { TextRange } from '../definition.js';
import type { ParsedConfigFile } from '../parse/configTypes.js';

export type CompletionPlace =
  | {
      readonly kind: 'server-name';
      readonly range: TextRange;
      readonly hasValue: boolean;
      /** Another property follows: what is written here as a whole ends with a comma. */
      readonly needsComma: boolean;
    }
  /** An item of `directTools`, `includeTools` or `excludeTools`. */
  | { readonly kind: 'tool-name'; readonly range: TextRange; readonly server: string };

const toolFields = ['directTools', 'includeTools', 'excludeTools'];
const wrappers = ['mcpServers', 'mcp-servers', 'servers'];

/** Works on a text that is being typed, hence may be broken. The range is what a completion replaces, quotes included. */
export function completionPlace(
  text: string,
  offset: number,
  file: Pick<ParsedConfigFile, 'shape'>,
): CompletionPlace | undefined {
  const { path, isAtPropertyKey, previousNode } = getLocation(text, offset);
  const range =
    previousNode?.type === 'string' || previousNode?.type === 'property'
      ? within(offset, {
          start: previousNode.offset,
          end: previousNode.offset + previousNode.length,
        })
      : { start: offset, end: offset };
  if (isAtPropertyKey) {
    const isName = path.length === 2 && wrappers.includes(String(path[0]));
    return isName
      ? {
          kind: 'server-name',
          range,
          hasValue: /^\s*:/.test(text.slice(range.end)),
          needsComma: /^\s*"/.test(text.slice(range.end)),
        }
      : undefined;
  }
  const serverAt = file.shape === 'bare' ? 0 : 1;
  const field = path[serverAt + 1];
  const isTool =
    path.length === serverAt + 3 && typeof field === 'string' && toolFields.includes(field);
  return isTool ? { kind: 'tool-name', range, server: String(path[serverAt]) } : undefined;
}

/** The node counts only while the cursor is in or right behind it. */
function within(offset: number, range: TextRange): TextRange {
  return offset >= range.start && offset <= range.end ? range : { start: offset, end: offset };
}

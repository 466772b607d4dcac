import { fitsGlob, toGlob } from '../../base/text/glob.js';
import { plainToolNames } from './toolNames.js';

/**
 * Whether a pattern such as `github/*` or `*__delete_*` means a tool: by `server/tool` or by a name for the model, under
 * any prefix, since a file of a project may choose another one than the user had in mind.
 */
export function matchesTool(
  pattern: string,
  tool: { readonly name: string; readonly server: string; readonly tool: string },
): boolean {
  const glob = toGlob(pattern);
  const names = [
    `${tool.server}/${tool.tool}`,
    tool.name,
    ...plainToolNames(tool.server, tool.tool),
  ];
  return names.some((name) => fitsGlob(glob, name));
}

/**
 * The setting `approveTools`: which tools ask. Everything that is no list and not `false` means all of them.
 * @returns the pattern by which the tool asks, true when all do, `undefined` when it does not.
 */
export function askingRule(
  rule: unknown,
  tool: { readonly name: string; readonly server: string; readonly tool: string },
): string | true | undefined {
  if (rule === false) {
    return undefined;
  }
  return Array.isArray(rule)
    ? rule.find((pattern) => typeof pattern === 'string' && matchesTool(pattern, tool))
    : true;
}

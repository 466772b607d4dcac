import { plainToolNames } from './toolNames.js';

/**
 * Whether a pattern such as `github/*` or `*__delete_*` means a tool: by `server/tool` or by a name for the model, under
 * any prefix, since a file of a project may choose another one than the user had in mind.
 */
export function matchesTool(
  pattern: string,
  tool: { readonly name: string; readonly server: string; readonly tool: string },
): boolean {
  const source = pattern
    .split('*')
    .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*');
  const expression = new RegExp(`^${source}$`, 'i');
  const names = [
    `${tool.server}/${tool.tool}`,
    tool.name,
    ...plainToolNames(tool.server, tool.tool),
  ];
  return names.some((name) => expression.test(name));
}

/** The setting `approveTools`: which tools ask. Everything that is no list and not `false` means all of them. */
export function asksByRule(
  rule: unknown,
  tool: { readonly name: string; readonly server: string; readonly tool: string },
): boolean {
  if (rule === false) {
    return false;
  }
  return Array.isArray(rule)
    ? rule.some((pattern) => typeof pattern === 'string' && matchesTool(pattern, tool))
    : true;
}

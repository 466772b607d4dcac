/** Whether a pattern such as `github/*` or `*__delete_*` means a tool: by `server/tool` or by the model's name. */
export function matchesTool(
  pattern: string,
  tool: { readonly name: string; readonly server: string; readonly tool: string },
): boolean {
  const source = pattern
    .split('*')
    .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*');
  const expression = new RegExp(`^${source}$`, 'i');
  return [`${tool.server}/${tool.tool}`, tool.name].some((name) => expression.test(name));
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

import type { McpServerDefinition } from '../../config/definition.js';

/**
 * The id under which VS Code 1.139 keeps the server that it reads from the same `.mcp.json`; it is documented nowhere.
 * @param folderIndex of the folder in the window
 */
export function copyInEditor(
  { name, origin, hides }: Pick<McpServerDefinition, 'name' | 'origin' | 'hides'>,
  folderIndex: number,
): string | undefined {
  const isShared = [origin, ...hides].some(({ layer }) => layer === 'project');
  return isShared && folderIndex >= 0 ? `workspace-dot-mcp.${folderIndex}.${name}` : undefined;
}

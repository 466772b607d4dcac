/** Which of Pi's own tools a session gets. */
import type { HostEnvironment } from '../../platform/ports.js';
import { planName } from './planTool.js';
import { shellName } from './shellCalls.js';
import { todoName } from './todoTool.js';

/** Every tool that Pi brings along, and the list of steps. */
export const builtInNames: readonly string[] = [
  'read',
  'bash',
  'powershell',
  'edit',
  'write',
  'grep',
  'find',
  'ls',
  todoName,
  planName,
];

/** The tool that asks for the result of a call in the background. */
export const taskResultName = 'TaskResult';

/** No MCP tool may take one of these. */
export const reservedToolNames: readonly string[] = [
  ...builtInNames,
  'mcp',
  'ToolSearch',
  taskResultName,
];

// a call through the gateway asks as the tool that it calls
const freeTools: ReadonlySet<string> = new Set(['ToolSearch', 'mcp', taskResultName]);

/** Runs without asking: it does nothing but call tools that ask for themselves. */
export function runsWithoutAsking(tool: string): boolean {
  return freeTools.has(tool);
}

/** In an untrusted workspace only tools that read; `grep` and `find` only where there is a program for them. */
export function builtInToolNames(
  environment: HostEnvironment,
  isWorkspaceTrusted: boolean,
): readonly string[] {
  const searching = environment.searchProgram?.() === undefined ? [] : ['grep', 'find'];
  const names = ['read', 'ls', ...searching];
  const own = isWorkspaceTrusted ? [...names, shellName(environment), 'edit', 'write'] : names;
  return isWorkspaceTrusted ? [...own, todoName, planName] : [...own, todoName];
}

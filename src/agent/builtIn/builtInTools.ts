/** Which of Pi's own tools a session gets. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { HostEnvironment } from '../../platform/ports.js';
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

/** In an untrusted workspace only tools that read; `grep` and `find` only where they need no download. */
export function builtInToolNames(
  environment: HostEnvironment,
  isWorkspaceTrusted: boolean,
): readonly string[] {
  const names = ['read', 'ls'];
  if (isOnPath(environment, ['rg'])) {
    names.push('grep');
  }
  if (isOnPath(environment, ['fd', 'fdfind'])) {
    names.push('find');
  }
  const own = isWorkspaceTrusted ? [...names, shellName(environment), 'edit', 'write'] : names;
  return [...own, todoName];
}

function isOnPath(environment: HostEnvironment, commands: readonly string[]): boolean {
  const folders = (environment.getVariable('PATH') ?? '').split(delimiter).filter(Boolean);
  const suffix = environment.platform === 'win32' ? '.exe' : '';
  return folders.some((folder) =>
    commands.some((command) => isExecutable(join(folder, `${command}${suffix}`))),
  );
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // absent or not executable
    return false;
  }
}

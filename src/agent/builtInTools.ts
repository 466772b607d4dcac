/** Which of Pi's own tools a session gets, and how they are run. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { HostEnvironment } from '../mcp/ports.js';
import type { PiModule, PiSettings, PiTool } from './piModule.js';

/** Every tool that Pi brings along. */
export const builtInNames: readonly string[] = [
  'read',
  'bash',
  'powershell',
  'edit',
  'write',
  'grep',
  'find',
  'ls',
];

/** The tool that asks for the result of a call in the background. */
export const taskResultName = 'TaskResult';

/** No MCP tool may take one of these. */
export const reservedToolNames: readonly string[] = [
  ...builtInNames,
  ...['mcp', 'ToolSearch', taskResultName],
];

const readOnlyTools: ReadonlySet<string> = new Set([
  ...['read', 'grep', 'find', 'ls'],
  // a call through the gateway asks as the tool that it calls
  ...['ToolSearch', 'mcp', taskResultName],
]);

/** Runs without asking: it can change nothing. */
export function isReadOnlyBuiltIn(tool: string): boolean {
  return readOnlyTools.has(tool);
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
  return isWorkspaceTrusted ? [...names, shellName(environment), 'edit', 'write'] : names;
}

/** Pi's shell tool with the editor's own variables kept out of commands. */
export function createShellTool(
  pi: PiModule,
  environment: HostEnvironment,
  cwd: string,
  settings: PiSettings,
): PiTool {
  const options = {
    commandPrefix: settings.getShellCommandPrefix(),
    shellPath: settings.getShellPath(),
    spawnHook: <T extends { env: NodeJS.ProcessEnv }>(context: T): T => ({
      ...context,
      env: withoutEditorVariables(context.env),
    }),
  };
  const tool =
    shellName(environment) === 'powershell'
      ? pi.createPowerShellToolDefinition(cwd, options)
      : pi.createBashToolDefinition(cwd, options);
  return tool as unknown as PiTool;
}

/** They would make a program that a command starts believe that it runs inside the editor. */
export function withoutEditorVariables(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^(VSCODE_|ELECTRON_)/i.test(name)),
  );
}

function shellName({ platform }: HostEnvironment): 'bash' | 'powershell' {
  return platform === 'win32' ? 'powershell' : 'bash';
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

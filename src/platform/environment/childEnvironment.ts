import type { HostEnvironment } from '../ports.js';

const posixVariables = ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER'];
/** Docker, .NET and installers look for what they share below ProgramData and both folders of programs. */
const windowsVariables = `APPDATA COMSPEC HOMEDRIVE HOMEPATH LOCALAPPDATA PATH PATHEXT
  PROCESSOR_ARCHITECTURE PROGRAMDATA PROGRAMFILES PROGRAMFILES(X86) PROGRAMW6432 SYSTEMDRIVE
  SYSTEMROOT TEMP TMP USERNAME USERPROFILE WINDIR`.split(/\s+/);
/** Of the editor itself; they change how a child that is a Node or an editor starts. */
const editorVariable = /^(?:VSCODE_|ELECTRON_RUN_AS_NODE$)/i;

/**
 * The whole environment of a stdio server: a few safe variables (or, with `inheritEnv`, all of them), PATH as a
 * login shell sets it, and what the entry sets, which wins.
 */
export async function createChildEnvironment(
  host: HostEnvironment,
  launch: { readonly env: Readonly<Record<string, string>>; readonly inheritEnv: boolean },
): Promise<Record<string, string>> {
  const inherited = launch.inheritEnv ? allVariables(host) : safeVariables(host);
  const loginPath = await host.loginShellPath();
  const base = merge(host, inherited, loginPath === '' ? {} : { PATH: loginPath });
  return merge(host, base, launch.env);
}

/** Value of a variable in an environment, with the platform's rule for upper and lower case. */
export function readVariable(
  env: Readonly<Record<string, string>>,
  name: string,
  platform: NodeJS.Platform,
): string | undefined {
  if (platform !== 'win32') {
    return env[name];
  }
  const key = Object.keys(env).find((item) => item.toUpperCase() === name.toUpperCase());
  return key === undefined ? undefined : env[key];
}

function safeVariables(host: HostEnvironment): Record<string, string> {
  const names = host.platform === 'win32' ? windowsVariables : posixVariables;
  const result: Record<string, string> = {};
  for (const name of names) {
    const value = host.getVariable(name);
    // shell functions travel as variables that start like this
    if (value !== undefined && !value.startsWith('()')) {
      result[name] = value;
    }
  }
  return result;
}

function allVariables(host: HostEnvironment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(host.allVariables()).filter(([name]) => !editorVariable.test(name)),
  );
}

function merge(
  host: HostEnvironment,
  base: Readonly<Record<string, string>>,
  changes: Readonly<Record<string, string>>,
): Record<string, string> {
  if (host.platform !== 'win32') {
    return { ...base, ...changes };
  }
  // of names that differ in case alone the last is meant, while Node takes the first by the alphabet
  const entries = [...Object.entries(base), ...Object.entries(changes)];
  const byName = new Map(entries.map((entry) => [entry[0].toUpperCase(), entry]));
  return Object.fromEntries(byName.values());
}

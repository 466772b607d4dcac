import { expect, it } from 'vitest';
import {
  createChildEnvironment,
  readVariable,
} from '../../../../src/platform/environment/childEnvironment.js';
import type { HostEnvironment } from '../../../../src/platform/ports.js';

function host(
  variables: Readonly<Record<string, string>>,
  platform: NodeJS.Platform = 'linux',
): HostEnvironment {
  return {
    platform,
    homeDir: '/home/user',
    getVariable: (name) => readVariable(variables, name, platform),
    allVariables: () => variables,
    loginShellPath: async () => '/login/bin',
  };
}

it('passes safe variables, the login PATH and what the entry sets, nothing else', async () => {
  const env = await createChildEnvironment(
    host({ HOME: '/home/user', USER: '() { evil; }', PATH: '/bin', AWS_SECRET_ACCESS_KEY: 'x' }),
    { env: { TOKEN: 't' }, inheritEnv: false },
  );
  expect(env).toEqual({ HOME: '/home/user', PATH: '/login/bin', TOKEN: 't' });
});

it('passes everything but what steers the editor on request', async () => {
  const variables = { A: '1', ELECTRON_RUN_AS_NODE: '1', VSCODE_PID: '7', PATH: '/bin' };
  const env = await createChildEnvironment(host(variables), { env: {}, inheritEnv: true });
  expect(env).toEqual({ A: '1', PATH: '/login/bin' });
});

it('lets the PATH of the entry win', async () => {
  const launch = { env: { PATH: '/mine' }, inheritEnv: true };
  expect(await createChildEnvironment(host({ PATH: '/bin' }), launch)).toEqual({ PATH: '/mine' });
});

it('takes the last of names that differ in case alone on Windows', async () => {
  const env = { PATH: 'C:\\of-a-file', Path: 'C:\\of-the-entry' };
  const launch = { env, inheritEnv: false };
  expect(await createChildEnvironment(host({ PATH: 'C:\\bin' }, 'win32'), launch)).toEqual({
    Path: 'C:\\of-the-entry',
  });
  expect(await createChildEnvironment(host({}), launch)).toEqual(env);
});

it('treats names as Windows does there', async () => {
  const variables = {
    ComSpec: 'cmd.exe',
    Path: 'C:\\bin',
    PATHEXT: '.EXE',
    ProgramData: 'C:\\ProgramData',
    'ProgramFiles(x86)': 'C:\\Program Files (x86)',
    windir: 'C:\\Windows',
  };
  const env = await createChildEnvironment(host(variables, 'win32'), {
    env: { path: 'D:\\mine' },
    inheritEnv: false,
  });
  expect(env).toEqual({
    COMSPEC: 'cmd.exe',
    PATHEXT: '.EXE',
    PROGRAMDATA: 'C:\\ProgramData',
    'PROGRAMFILES(X86)': 'C:\\Program Files (x86)',
    WINDIR: 'C:\\Windows',
    path: 'D:\\mine',
  });
});

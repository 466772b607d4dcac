import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { main } from '../../../src/cli/main.js';
import { plantedVariables, type Scene } from './scene.js';

export interface CliRun {
  readonly status: number;
  readonly out: string;
  readonly errors: string;
}

/** Runs the command line in the repository of the scene, with its home and its environment. */
export async function runCli(scene: Scene, ...args: readonly string[]): Promise<CliRun> {
  const out: string[] = [];
  const errors: string[] = [];
  const home = join(scene.core.root, 'home');
  const status = await main(['--folder', scene.path(), '--home', home, ...args], {
    whenInputEnds: async () => undefined,
    stdio: () => new PassThrough(),
    isTerminal: false,
    openBrowser: () => undefined,
    readLine: async () => undefined,
    writeOut: (text) => void out.push(text),
    writeError: (text) => void errors.push(text),
    env: { PATH: process.env.PATH, ...plantedVariables(scene.secrets) },
    cwd: scene.path(),
    signal: new AbortController().signal,
  });
  return { status, out: out.join(''), errors: errors.join('') };
}

const commands: readonly (readonly string[])[] = [
  ['list'],
  ['list', '--json'],
  ['doctor'],
  ['doctor', '--json'],
  ['probe'],
  ['probe', '--json', '--server', 'a'],
  ['tools', '--json'],
  ['search', 'echo', '--json'],
  ['call', 'a', 'echo', '{"message":"hello"}'],
  ['call', 'a', 'echo', '{"message":"hello"}', '--json'],
];

/** Every command of the command line, none with `--trust`. */
export async function runEveryCommand(scene: Scene): Promise<Readonly<Record<string, CliRun>>> {
  const runs: Record<string, CliRun> = {};
  for (const command of commands) {
    runs[command.join(' ')] = await runCli(scene, ...command);
  }
  return runs;
}

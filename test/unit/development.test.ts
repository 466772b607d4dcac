/** What F5 starts, and that the task before it understands what the build prints. */
import { type ChildProcess, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'jsonc-parser';
import { afterEach, expect, it } from 'vitest';
import { rings } from '../ringTable.mjs';
import { repository } from '../workbench/paths.mjs';

interface Launch {
  readonly name: string;
  readonly type: string;
  readonly args: readonly string[];
  readonly preLaunchTask?: string;
  readonly program?: string;
  readonly runtimeExecutable?: string;
}

interface Task {
  readonly label: string;
  readonly script: string;
  readonly isBackground: boolean;
  readonly problemMatcher: {
    readonly pattern: readonly (Record<string, number | string> & { readonly regexp: string })[];
    readonly background: { readonly beginsPattern: string; readonly endsPattern: string };
  };
}

const { configurations } = read<{ readonly configurations: readonly Launch[] }>(
  '.vscode/launch.json',
);
const { tasks } = read<{ readonly tasks: readonly Task[] }>('.vscode/tasks.json');
const { scripts } = read<{ readonly scripts: Record<string, string> }>('package.json');

it('starts what is there', () => {
  const named = configurations.flatMap((one) => [one.program, one.runtimeExecutable, ...one.args]);
  const places = named.flatMap((word) => /\$\{workspaceFolder\}.*/.exec(word ?? '')?.[0] ?? []);
  const paths = places.map((place) => place.replace('${workspaceFolder}', repository));
  expect(paths.length).toBeGreaterThan(configurations.length);
  expect(paths.filter((path) => !existsSync(path))).toEqual([]);
  const projects = configurations.flatMap(({ args }) =>
    args.includes('--project') ? [args[args.indexOf('--project') + 1] ?? ''] : [],
  );
  expect(projects).toEqual(['pages', 'unit']);
  expect(projects.filter((name) => !(name in rings))).toEqual([]);
});

it('builds before it starts the extension', () => {
  const hosts = configurations.filter(({ type }) => type === 'extensionHost');
  const before = hosts.map(({ preLaunchTask }) =>
    tasks.find(({ label }) => label === preLaunchTask),
  );
  expect(before).toEqual(hosts.map(() => expect.objectContaining({ isBackground: true })));
  expect(tasks.filter(({ script }) => !scripts[script])).toEqual([]);
});

let end = () => {};
afterEach(() => end());

it('knows from the output of the watch when a build begins and ends, and what is wrong where', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pi-mcp-watch-'));
  for (const name of ['esbuild.mjs', 'build']) {
    cpSync(join(repository, name), join(folder, name), { recursive: true });
  }
  symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'));
  mkdirSync(join(folder, 'media/webview'), { recursive: true });
  mkdirSync(join(folder, 'src/webview/code'), { recursive: true });
  const source = join(folder, 'src/webview/code/main.ts');
  writeFileSync(source, "\nimport './nowhere.js';\n");
  const [program, script, ...flags] = scripts.watch?.split(' ') ?? [];
  expect(program).toBe('node');
  const child = spawn(process.execPath, [script ?? '', ...flags, 'code'], { cwd: folder });
  end = () => {
    child.kill();
    rmSync(folder, { recursive: true, force: true });
  };
  const output = outputOf(child);
  const { pattern, background } = tasks[0]?.problemMatcher ?? {};
  const ends = () =>
    output().filter((line) => new RegExp(background?.endsPattern ?? '').test(line));
  await expect.poll(() => ends()).toHaveLength(1);
  expect(output()[0]).toMatch(new RegExp(background?.beginsPattern ?? ''));
  const steps = pattern ?? [];
  const problems = output().flatMap((_, index) => {
    const found = steps.map(({ regexp }, step) =>
      new RegExp(regexp).exec(output()[index + step] ?? ''),
    );
    return found.every(Boolean) ? [found.map((match) => match?.slice(1))] : [];
  });
  const problem = ['ERROR', 'Could not resolve "./nowhere.js"'];
  expect(problems).toEqual([[problem, [], ['src/webview/code/main.ts', '2', '7']]]);
  const groups = steps.map(({ regexp, ...names }) => names);
  expect(groups).toEqual([{ severity: 1, message: 2 }, {}, { file: 1, line: 2, column: 3 }]);

  writeFileSync(source, 'console.log("mended");\n');
  await expect.poll(() => ends()).toHaveLength(2);
  expect(readFileSync(join(folder, 'dist/webview/code.js'), 'utf8')).toContain('mended');
});

/** Its lines, as a terminal shows them. */
function outputOf(child: ChildProcess): () => readonly string[] {
  let text = '';
  const add = (chunk: Buffer) => {
    text += chunk.toString();
  };
  child.stdout?.on('data', add);
  child.stderr?.on('data', add);
  return () => text.split('\n');
}

function read<T>(path: string): T {
  return parse(readFileSync(join(repository, path), 'utf8')) as T;
}

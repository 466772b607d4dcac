/** Generated launches through the real resolver and spawner: nothing is spawned or read that the description lacks. */
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isHumanError } from '../../src/base/errors.js';
import type { McpServerDefinition, McpStdioLaunch } from '../../src/config/definition.js';
import {
  isAsDescribed,
  type LaunchDescription,
  type LaunchFacts,
} from '../../src/config/launch/launchDescription.js';
import { resolveLaunch } from '../../src/config/launch/resolveLaunch.js';
import { parseTemplate } from '../../src/config/launch/variables.js';
import { defaultOptions } from '../../src/config/schema/fields.js';
import { maskText } from '../../src/config/secrets/secretMask.js';
import { prepareProcess } from '../../src/mcp/connection/processOpening.js';
import { describeLaunch } from '../../src/mcp/trust/describeLaunch.js';
import { describeLines } from '../../src/mcp/trust/descriptionLines.js';
import { findLaunchFacts } from '../../src/mcp/trust/findLaunchFacts.js';
import { createNodeHostEnvironment } from '../../src/platform/environment/nodeHostEnvironment.js';
import type { HostEnvironment } from '../../src/platform/ports.js';
import { markerVariable } from '../../src/platform/process/marker.js';
import { createFileTree, Link, Program } from '../helpers/attacks/fileTree.js';

const runs = 40;
const seed = Date.now() % 2 ** 31;
const values: Readonly<Record<string, string>> = { FIRST: 'first', SECOND: 'second value' };
/** Passed on to every child. */
const safeNames = ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER'];

interface Report {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: readonly string[];
}

let root: string;
let folder: string;
let host: HostEnvironment;

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'pi-mcp-launch-')));
  folder = join(root, 'folder');
  const script = `const { argv, env } = process;
console.log(JSON.stringify({ jsonrpc: '2.0', method: 'report', params: {
  file: argv[1], args: argv.slice(2), cwd: process.cwd(), env: Object.keys(env) } }));
process.stdin.resume();
process.stdin.on('end', () => process.exit());`;
  const program = new Program(script, process.execPath);
  await createFileTree(root, {
    'home/.x': '',
    'elsewhere/x': '',
    'elsewhere/outer': program,
    'folder/child': program,
    'folder/bin/tool': program,
    'folder/sub/child': program,
    'folder/sub/deep/x': '',
    'folder/linked': new Link('sub'),
    'folder/out': new Link(join(root, 'elsewhere')),
    'folder/child-link': new Link('sub/child'),
    'folder/outer-link': new Link('../elsewhere/outer'),
    'folder/node_modules/reporter/package.json': {
      name: 'reporter',
      version: '1.2.3',
      bin: 'r.js',
    },
    'folder/node_modules/reporter/r.js': script,
  });
  host = createNodeHostEnvironment({
    homeDir: join(root, 'home'),
    env: { PATH: process.env.PATH, HOME: join(root, 'home'), OTHER: '1', ...values },
  });
});

afterAll(() => rm(root, { recursive: true, force: true }));

const piece = fc.oneof(
  fc.constantFrom('${FIRST}', '{env:SECOND}', '$env:FIRST', '${NONE:-x${SECOND}}', '${input:one}'),
  fc.constantFrom(
    '${workspaceFolder}',
    '${userHome}',
    '${/}',
    '--token',
    'evil',
    '!echo no',
    '$',
    '{',
  ),
  fc.string({ maxLength: 8 }),
  fc.string({ unit: 'grapheme', maxLength: 4 }),
);
const text = fc
  .array(piece, { maxLength: 4 })
  .map((pieces) => pieces.join(''))
  .filter((value) => !value.includes('\0') && isKnown(value));
const name = fc.stringMatching(/^[A-Z_][A-Z0-9_]{0,8}$/).filter((key) => !safeNames.includes(key));
const program = fc.constantFrom<Pick<McpStdioLaunch, 'command' | 'args' | 'env'>>(
  { command: './child', args: [], env: {} },
  { command: './child-link', args: [], env: {} },
  { command: './outer-link', args: [], env: {} },
  { command: '${workspaceFolder}/child', args: [], env: {} },
  { command: '${NONE:-./child}', args: [], env: {} },
  { command: 'tool', args: [], env: { PATH: '${workspaceFolder}/bin:${PATH}' } },
  { command: 'node', args: ['${workspaceFolder}/child'], env: {} },
  { command: 'npx', args: ['-y', 'reporter@^1'], env: {} },
);
const launches = fc.record({
  program,
  cwd: fc.constantFrom(
    undefined,
    'sub',
    'linked',
    'out',
    '~',
    '${workspaceFolder}/sub/deep',
    '${FIRST}/..',
  ),
  args: fc.array(text, { maxLength: 4 }),
  env: fc.dictionary(name, fc.oneof(text, fc.constantFrom('!echo one', '!!literal')), {
    maxKeys: 4,
  }),
  inheritEnv: fc.boolean(),
});

/** A variable that nobody knows is an error, not a launch. */
function isKnown(value: string): boolean {
  return parseTemplate(value).every(
    (part) => part.kind === 'text' || part.variable.kind !== 'unknown',
  );
}

it(`spawns and reads nothing that the description lacks (seed ${seed})`, async () => {
  let spawned = 0;
  await fc.assert(
    fc.asyncProperty(launches, async (generated) => {
      const { program: start, cwd, args, env, inheritEnv } = generated;
      const launch: McpStdioLaunch = {
        kind: 'stdio',
        command: start.command,
        args: [...start.args, ...args],
        env: { ...env, ...start.env },
        inheritEnv,
        ...(cwd === undefined ? {} : { cwd }),
      };
      const first = describeLaunch(launch, {
        isGlobalName: false,
        facts: await findLaunchFacts(launch, folder, host),
      });
      const result = await run(launch);
      if (!result) {
        return;
      }
      spawned++;
      const { report, reads, facts } = result;
      const description = isAsDescribed(first, facts)
        ? first
        : describeLaunch(launch, { isGlobalName: false, facts });
      expectReads(description, reads);
      expectSpawned(description, facts, report);
      // every name and text of it can be read
      const lines = describeLines(description).map((line) => line.text);
      expect(lines.every((line) => !/[\n\r\u2028\u202e\u200b]/.test(line))).toBe(true);
    }),
    { numRuns: runs, seed },
  );
  expect(spawned).toBeGreaterThan(runs / 4);
});

function expectReads({ reads }: LaunchDescription, seen: Reads): void {
  const described = (kind: string) =>
    reads.filter((read) => read.kind === kind).map((read) => read.name);
  expect(described('env')).toEqual(expect.arrayContaining([...seen.env]));
  expect(described('input')).toEqual(expect.arrayContaining([...seen.inputs]));
}

function expectSpawned(description: LaunchDescription, facts: LaunchFacts, report: Report): void {
  const { argv, cwd, env, inheritEnv } = description;
  const started = description.package?.file ?? description.executable;
  const places = [started, cwd?.found].map((found) => [found?.path, found?.leadsTo]);
  if (description.package || argv[0] !== 'node') {
    expect(places[0]).toContain(report.file);
  }
  expect(facts.cwd.state).toBe('found');
  expect(places[1]).toContain(report.cwd);
  expect(argv.length).toBeGreaterThanOrEqual(report.args.length);
  for (const [at, arg] of report.args.entries()) {
    expect(arg).toMatch(pattern(argv.at(at - report.args.length) ?? ''));
  }
  const known = [...env.map((item) => item.name), ...safeNames, markerVariable];
  const all = inheritEnv ? [...known, ...Object.keys(host.allVariables())] : known;
  expect(report.env.filter((key) => !all.includes(key))).toEqual([]);
}

/** What a written text may become: its variables may stand for anything. */
function pattern(written: string): RegExp {
  const parts = parseTemplate(written).map((part) =>
    part.kind === 'text' ? part.text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&') : '[^]*',
  );
  return new RegExp(`^${parts.join('').replace(/^~(?=$|\\\/)/, '[^]*')}$`);
}

interface Reads {
  readonly env: ReadonlySet<string>;
  readonly inputs: ReadonlySet<string>;
}

/** `undefined` when the launch cannot be spawned, such as for a directory that is not there. */
async function run(launch: McpStdioLaunch) {
  const reads = { env: new Set<string>(), inputs: new Set<string>() };
  const watched: HostEnvironment = {
    ...host,
    platform: host.platform,
    homeDir: host.homeDir,
    getVariable: (key) => {
      reads.env.add(key);
      return host.getVariable(key);
    },
    allVariables: () => host.allVariables(),
    loginShellPath: () => host.loginShellPath(),
  };
  const inputs = {
    resolve: async (_pool: string, id: string) => {
      reads.inputs.add(id);
      return 'input';
    },
  };
  const resolved = await resolveLaunch(define(launch), { environment: watched, inputs }).catch(
    (error: unknown) => {
      // such as a variable that is not set
      if (isHumanError(error)) {
        return undefined;
      }
      throw error;
    },
  );
  if (resolved?.kind !== 'stdio') {
    return undefined;
  }
  let facts: LaunchFacts | undefined;
  const opening = await prepareProcess(
    resolved,
    {
      environment: host,
      folder,
      stopGraceMs: () => 2000,
      assertDescribed: (found) => (facts = found),
    },
    { log: () => undefined, mask: maskText },
  ).catch(() => undefined);
  const { transport } = opening ?? {};
  // npm itself would ask the registry
  if (!transport || !facts || (launch.command === 'npx' && !facts.package)) {
    return undefined;
  }
  const reported = new Promise<Report>((resolve, reject) => {
    transport.onmessage = (message) => resolve((message as unknown as { params: Report }).params);
    transport.onclose = () => reject(new Error(transport.stderrTail.join('\n')));
  });
  await transport.start();
  const report = await reported;
  await transport.close();
  return { report, reads, facts };
}

function define(launch: McpStdioLaunch): McpServerDefinition {
  return {
    id: 'x',
    poolId: 'x',
    scope: 'folder',
    name: 'x',
    folder: { uri: pathToFileURL(folder).toString(), name: 'folder', fsPath: folder },
    origin: { layer: 'project', path: join(folder, '.mcp.json') },
    hides: [],
    launch,
    enabled: true,
    options: defaultOptions,
    problems: [],
  };
}

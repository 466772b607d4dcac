/** Configuration: parse + validate + merge of 100 files with 50 servers each, and the time from save to updated tree. */
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Emitter, onceEvent } from '../../src/base/event.js';
import { ConfigDiscovery } from '../../src/config/discovery/configDiscovery.js';
import { lintConfig } from '../../src/config/lint/lintConfig.js';
import { parseJsonDocument } from '../../src/config/parse/jsonDocument.js';
import { mergeConfig } from '../../src/config/parse/mergeConfig.js';
import { parseConfig } from '../../src/config/parse/parseConfig.js';
import { type Machine, nullLoggers } from '../../src/config/ports.js';
import { createMcpCore } from '../../src/mcp/service/mcpCore.js';
import { NodeFileWatcher } from '../../src/platform/nodeFileWatcher.js';
import {
  childNodes,
  presentNode,
  rootNodes,
  type TreeNode,
} from '../../src/presentation/tree/nodes.js';
import { MemorySecrets } from '../fixtures/memorySecrets.js';
import { against, type BenchRow, medianOf, mediansOf } from './measure.js';
import { surroundings } from './surroundings.js';

const fileCount = 100;
const serverCount = 50;
const location = { layer: 'project', path: '/work/.mcp.json' } as const;

export async function runBench(): Promise<readonly BenchRow[]> {
  const texts = Array.from({ length: fileCount }, (_item, index) => configText(index));
  const size = `${fileCount} files x ${serverCount} servers`;
  const parse = () => texts.map((text) => parseConfig(text, location));
  const merge = () => {
    const files = parse();
    return mergeConfig(files, { poolId: 'file:///work', folder: undefined });
  };
  const lint = () =>
    Promise.all(
      texts.map((text) =>
        lintConfig(
          {
            file: parseConfig(text, location),
            document: parseJsonDocument(text),
            isCommitted: true,
          },
          surroundings,
        ),
      ),
    );
  const json = () => texts.map((text) => JSON.parse(text));
  const [jsonMs = 0, ...others] = await mediansOf([json, parse, merge, lint]);
  const baseline: BenchRow = { name: `JSON.parse ${size}`, ms: jsonMs };
  const names = ['parse + validate', 'parse + validate + merge', 'parse + all lint rules'];
  return [
    baseline,
    ...names.map((name, index) => against(baseline, `${name} ${size}`, others[index] ?? 0)),
    { name: 'save to updated pools, median', ms: await afterSave(poolsOf) },
    { name: 'save to updated tree as data, median', ms: await afterSave(treeOf) },
  ];
}

function configText(file: number): string {
  const servers = Array.from({ length: serverCount }, (_item, index) => [
    `server-${file}-${index}`,
    index % 3 === 0
      ? { type: 'http', url: `https://host${index}.example/mcp`, headers: { 'X-Team': 'a' } }
      : {
          command: 'npx',
          args: ['-y', `package-${index}@1.2.3`, '--root', '${workspaceFolder}/data'],
          env: { LOG_LEVEL: 'info', TOKEN: '${TOKEN:-none}' },
          lifecycle: 'eager',
        },
  ]);
  return JSON.stringify({ mcpServers: Object.fromEntries(servers) }, undefined, 2);
}

interface Watched {
  /** Resolves when the next change shows. */
  readonly nextChange: () => Promise<void>;
  readonly dispose: () => Promise<void> | void;
}

/** A save by atomic rename, as editors do it, until it shows. Includes the quiet time of the watcher. */
async function afterSave(watch: (options: Machine) => Promise<Watched>): Promise<number> {
  const root = await mkdtemp(join(tmpdir(), 'pi-mcp-bench-save-'));
  const fsPath = join(root, 'work');
  await mkdir(fsPath);
  await mkdir(join(root, 'home'));
  await writeFile(join(fsPath, '.mcp.json'), configText(0));
  const never = new Emitter<void>().event;
  const watched = await watch({
    workspace: {
      folders: [{ uri: pathToFileURL(fsPath).toString(), name: 'work', fsPath }],
      isTrusted: true,
      onDidChangeFolders: never,
      onDidChangeTrust: never,
    },
    environment: {
      platform: process.platform,
      homeDir: join(root, 'home'),
      getVariable: () => undefined,
      allVariables: () => ({}),
      loginShellPath: async () => '',
    },
    watcher: new NodeFileWatcher(),
    loggers: nullLoggers,
  });
  try {
    let version = 0;
    return await medianOf(
      async () => {
        const text = configText(++version);
        await writeFile(join(fsPath, '.new'), text);
        const updated = watched.nextChange();
        await rename(join(fsPath, '.new'), join(fsPath, '.mcp.json'));
        await updated;
      },
      { warmUps: 1, rounds: 9 },
    );
  } finally {
    await watched.dispose();
    await rm(root, { recursive: true, force: true });
  }
}

async function poolsOf(machine: Machine): Promise<Watched> {
  const discovery = new ConfigDiscovery({
    ...machine,
    logger: nullLoggers.main,
    globalConfigPath: () => undefined,
  });
  await discovery.start();
  return {
    nextChange: async () => void (await onceEvent(discovery.pools.onDidChange)),
    dispose: () => discovery.dispose(),
  };
}

/** Everything up to what VS Code is given for every row; what it does with that is its own. */
async function treeOf(machine: Machine): Promise<Watched> {
  const service = createMcpCore({
    machine,
    places: {},
    user: { inputs: { resolve: async () => undefined } },
    secrets: new MemorySecrets(),
    globalConfigPath: () => undefined,
    engine: () => Promise.reject(new Error('nothing connects')),
    startPolicy: 'manual',
    clientVersion: '0',
  });
  await service.whenStarted();
  const context = {
    isWorkspaceTrusted: true,
    folderTrust: (folderUri: string) => service.trust.folderTrust(folderUri),
  };
  const present = (node: TreeNode): void => {
    presentNode(node, context);
    childNodes(node).forEach(present);
  };
  return {
    nextChange: async () => {
      await onceEvent(service.onDidChangePools);
      rootNodes(service).forEach(present);
    },
    dispose: () => service.shutdown(),
  };
}

/** Many servers, many tools, many folders. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ToolIndex } from '../../../src/mcp/catalog/search/toolIndex.js';
import { configViewState } from '../../../src/presentation/configPage/viewState.js';
import {
  childNodes,
  presentNode,
  rootNodes,
  serverNode,
  type TreeNode,
} from '../../../src/presentation/tree/nodes.js';
import { searchableTools } from '../../helpers/capturedTools.js';
import { generateServers } from '../../helpers/generatedTools.js';
import { createWindowlessCore } from '../../helpers/windowlessCore.js';
import { timed, usedHeap } from '../connections/figures.js';
import { CoreHome, type OpenCore, shownTools, startHttpServer } from '../connections/parties.js';
import { type Curve, leastOf, sweep } from './curve.js';

const megabyte = 1024 * 1024;

export async function serverCurve(): Promise<Curve> {
  const remote = await startHttpServer('--tools=10');
  try {
    return await sweep(
      { id: 'servers', title: 'Servers of 10 tools each', axis: 'servers' },
      [1, 5, 20, 50, 100, 200, 500],
      async (size) => {
        const names = Array.from({ length: size }, (_, index) => `server${index}`);
        const entries = Object.fromEntries(names.map((name) => [name, { url: remote.url }]));
        const home = await CoreHome.create(entries);
        try {
          return { ...(await connectAll(home, names)), ...(await startKnown(home)) };
        } finally {
          await home.dispose();
        }
      },
    );
  } finally {
    await remote.stop();
  }
}

async function connectAll(home: CoreHome, names: readonly string[]) {
  const core = home.open('manual');
  try {
    await core.service.whenStarted();
    const before = await usedHeap();
    const connect = await timed(() =>
      Promise.all(names.map((name) => core.server(name).ensureConnected())),
    );
    const held = (await usedHeap()) - before;
    const [tree = 0, page = 0] = await leastOf([
      () => shownRows(core),
      () => configViewState(core.service),
    ]);
    return {
      'connect all at once, ms': connect,
      'rows of the tree, ms': tree,
      'the configuration page, ms': page,
      'connections, MB': held / megabyte,
    } as const;
  } finally {
    await core.close();
  }
}

/** A window that opens with what an earlier one has learned. */
async function startKnown(home: CoreHome) {
  const before = await usedHeap();
  const core = home.open('manual');
  await core.service.whenStarted();
  shownTools(core);
  const held = (await usedHeap()) - before;
  await core.close();
  let start = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 5; round++) {
    const opened = home.open('manual');
    const ms = await timed(async () => {
      await opened.service.whenStarted();
      shownTools(opened);
    });
    await opened.close();
    start = Math.min(start, ms);
  }
  return {
    'start from the cache, ms': start,
    'known from the cache, MB': held / megabyte,
  } as const;
}

/** What is in sight of a tree whose servers are closed. */
function shownRows({ service }: Pick<OpenCore, 'service'>): void {
  const context = {
    isWorkspaceTrusted: true,
    folderTrust: (folderUri: string) => service.trust.folderTrust(folderUri),
  };
  const present = (node: TreeNode): void => void presentNode(node, context);
  for (const root of rootNodes(service)) {
    present(root);
    childNodes(root).forEach(present);
  }
}

export function toolCurve(): Promise<Curve> {
  const all = generateServers(1, 10_000)[0]?.tools ?? [];
  return sweep(
    { id: 'tools', title: 'Tools of one server', axis: 'tools' },
    [10, 30, 100, 300, 1_000, 3_000, 10_000],
    async (size) => {
      const tools = searchableTools([{ name: 'many', tools: all.slice(0, size) }]);
      const index = new ToolIndex(tools);
      const [first = 0, again = 0] = await leastOf([
        () => new ToolIndex(tools).search('create a draft invoice'),
        () => index.search('create a draft invoice'),
      ]);
      return {
        ...(await listTools(size)),
        'first search, ms': first,
        'further search, ms': again,
      } as const;
    },
  );
}

async function listTools(size: number) {
  const remote = await startHttpServer(`--tools=${size}`);
  const home = await CoreHome.create({ many: { url: remote.url } });
  try {
    const core = home.open('manual');
    await core.service.whenStarted();
    const server = core.server('many');
    const before = await usedHeap();
    const list = await timed(() => server.ensureConnected());
    const held = (await usedHeap()) - before;
    const [closed = 0, opened = 0] = await leastOf([
      () => shownRows(core),
      () => childNodes(serverNode(server)).flatMap((group) => childNodes(group)),
    ]);
    await core.close();
    return {
      'connect and list, ms': list,
      'rows of a closed tree, ms': closed,
      'nodes of an open one, ms': opened,
      'catalogue, MB': held / megabyte,
      ...(await startKnown(home)),
    } as const;
  } finally {
    await home.dispose();
    await remote.stop();
  }
}

export function folderCurve(): Promise<Curve> {
  return sweep(
    { id: 'folders', title: 'Folders with 20 entries each', axis: 'folders' },
    [1, 2, 3, 5, 10, 15, 20],
    async (size) => {
      const root = await mkdtemp(join(tmpdir(), 'pi-mcp-bench-folders-'));
      try {
        return await openFolders(root, size);
      } finally {
        await rm(root, { recursive: true, force: true });
      }
    },
  );
}

async function openFolders(root: string, count: number) {
  const entries = Array.from({ length: 20 }, (_, index) => [
    `server${index}`,
    { command: 'node', args: [`server${index}.mjs`], env: { LEVEL: '${LEVEL:-info}' } },
  ]);
  const text = JSON.stringify({ mcpServers: Object.fromEntries(entries) });
  const names = Array.from({ length: count }, (_, index) => `folder${index}`);
  const folders = names.map((name) => ({
    name,
    fsPath: join(root, name),
    uri: pathToFileURL(join(root, name)).toString(),
  }));
  for (const { fsPath } of folders) {
    await mkdir(fsPath);
    await writeFile(join(fsPath, '.mcp.json'), text);
  }
  const open = async () => {
    const service = createWindowlessCore({
      homeDir: root,
      folders,
      engine: () => Promise.reject(new Error('nothing connects')),
      startPolicy: 'manual',
    });
    await service.whenStarted();
    shownRows({ service });
    return service;
  };
  const before = await usedHeap();
  const service = await open();
  const held = (await usedHeap()) - before;
  await service.shutdown();
  const [start = 0] = await leastOf([async () => (await open()).shutdown()]);
  return { 'start, rows and end, ms': start, 'entries, MB': held / megabyte } as const;
}

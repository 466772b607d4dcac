import { describe, expect, it } from 'vitest';
import type { ConfigProblem } from '../../../../src/config/definition.js';
import type { FolderTrust, McpPool, McpServer, McpService } from '../../../../src/mcp/mcpApi.js';
import type { McpServerState, McpTool } from '../../../../src/mcp/mcpTypes.js';
import { DrawnTree } from '../../../../src/presentation/tree/drawnTree.js';
import { nodeId, serverNode, type TreeNode } from '../../../../src/presentation/tree/nodes.js';
import {
  FakeServer,
  FakeService,
  fakeDefinition,
  fakeFailure,
  fakeFolder,
  fakePool,
} from '../../../helpers/fakes/fakeMcp.js';

const folder = fakeFolder('api');
const connected: McpServerState = { kind: 'connected', transport: 'stdio', since: 0, connectMs: 8 };
const awaiting: McpServerState = { kind: 'trust_required', reason: { kind: 'never_consented' } };

const read: McpTool = { name: 'read', description: 'Reads a file.', inputSchema: {} };
const write: McpTool = { name: 'write', description: 'Writes a file.', inputSchema: {} };

const advice: ConfigProblem = {
  code: 'unpinned-package',
  severity: 'warning',
  message: 'The package has no version.',
  remedy: 'Write one.',
};

/** A host that has everything in sight: it asks for what it is told, and forgets what is below it. */
class Host {
  readonly service: FakeService;
  readonly tree: DrawnTree;
  problems: ReadonlyMap<string, readonly ConfigProblem[]> = new Map();
  private readonly nodes = new Map</* node id */ string, TreeNode>();

  constructor(...pools: McpPool[]) {
    this.service = new FakeService(pools);
    this.tree = new DrawnTree(this.service as unknown as McpService, () => ({
      isWorkspaceTrusted: true,
      folderTrust: (): FolderTrust => ({ kind: 'none' }),
      problemsOf: ({ id }) => this.problems.get(id) ?? [],
    }));
    this.ask();
  }

  /** Ids of what is drawn anew, in the order of the tree. */
  refresh(servers: 'all' | readonly McpServer[] = 'all'): 'all' | readonly string[] {
    const changes = this.tree.changes(
      servers === 'all' ? servers : new Set(servers.map(({ id }) => id)),
    );
    if (changes === 'all') {
      this.ask();
      return changes;
    }
    for (const node of changes) {
      expect(this.nodes.get(nodeId(node)), 'the host knows the very object').toBe(node);
      this.draw(node);
    }
    return changes.map(nodeId);
  }

  node(id: string): TreeNode | undefined {
    return this.nodes.get(id);
  }

  private ask(parent?: TreeNode): void {
    for (const node of this.tree.children(parent)) {
      this.nodes.set(nodeId(node), node);
      this.draw(node);
    }
  }

  private draw(node: TreeNode): void {
    if (this.tree.row(node).expansion !== 'none') {
      this.ask(node);
    }
  }
}

describe('what the tree draws anew', () => {
  it('is nothing when nothing changed', () => {
    const host = new Host(fakePool([idle('docs')]), fakePool([files()], { folder }));
    expect(host.refresh()).toEqual([]);
  });

  it('is a row and no other when its server changed, whatever else may have', () => {
    const docs = idle('docs');
    const host = new Host(fakePool([docs, idle('other')]), fakePool([files()], { folder }));
    docs.state.set(connected);
    expect(host.refresh()).toEqual([docs.id]);
    expect(host.refresh()).toEqual([]);
  });

  it('is looked for in the servers that are named', () => {
    const docs = idle('docs');
    const other = idle('other');
    const host = new Host(fakePool([docs, other]));
    docs.state.set(connected);
    other.state.set(connected);
    expect(host.refresh([other])).toEqual([other.id]);
    expect(host.refresh([docs])).toEqual([docs.id]);
  });

  it('is the row of a tool when the tool says something else, and no row when only its schema changed', () => {
    const server = files();
    const host = new Host(fakePool([server], { folder }));
    const tool = `${server.id}/tools/read`;
    const described = { ...read, description: 'Reads any file.' };
    server.catalog.set({ ...server.catalog.value, tools: [described, write] });
    expect(host.refresh()).toEqual([tool]);
    const nested = { ...described, inputSchema: { type: 'object' } };
    server.catalog.set({ ...server.catalog.value, tools: [nested, write] });
    expect(host.refresh()).toEqual([]);
    expect(host.node(tool)).toMatchObject({ tool: nested });
  });

  it('is what holds a tool when tools come, go or change places', () => {
    const server = files();
    const host = new Host(fakePool([server], { folder }));
    server.catalog.set({ ...server.catalog.value, tools: [write, read] });
    expect(host.refresh()).toEqual([`${server.id}/tools`]);
    server.catalog.set({ ...server.catalog.value, tools: [write] });
    // its row counts them
    expect(host.refresh()).toEqual([server.id]);
  });

  it('is one server when there is advice about it', () => {
    const docs = idle('docs');
    const host = new Host(fakePool([docs, idle('other')]));
    host.problems = new Map([[docs.id, [advice]]]);
    expect(host.refresh()).toEqual([docs.id]);
    host.problems = new Map([[docs.id, [{ ...advice }]]]);
    expect(host.refresh()).toEqual([]);
  });

  it('is a server alone when its entry was changed, and its row then stands for the new one', () => {
    const before = idle('docs');
    const other = idle('other');
    const host = new Host(fakePool([before, other]));
    const after = new FakeServer(fakeDefinition('docs', { change: { enabled: false } }), {
      kind: 'disabled',
      by: 'server',
    });
    host.service.pools = [fakePool([after, other])];
    expect(host.refresh()).toEqual([after.id]);
    expect(host.node(after.id)).toMatchObject({ server: after });
  });

  it('is a folder when a server came, and everything when a folder did', () => {
    const docs = idle('docs');
    const host = new Host(fakePool([docs]), fakePool([], { folder }));
    host.service.pools = [fakePool([docs]), fakePool([files()], { folder })];
    expect(host.refresh()).toEqual([folder.uri]);
    host.service.pools = [...host.service.pools, fakePool([], { folder: fakeFolder('web') })];
    expect(host.refresh()).toBe('all');
    expect(host.refresh()).toEqual([]);
  });

  it('is the row that leads to the review when another server waits, and everything when none does', () => {
    const [one, two] = [idle('one'), idle('two')];
    one.state.set(awaiting);
    const host = new Host(fakePool([one, two], { folder }));
    two.state.set(awaiting);
    expect(host.refresh([two])).toEqual(['review', folder.uri]);
    one.state.set({ kind: 'idle' });
    two.state.set({ kind: 'idle' });
    expect(host.refresh()).toBe('all');
  });

  it('is the failed server, and nothing when it failed in the same words again', () => {
    const docs = idle('docs');
    const host = new Host(fakePool([docs]));
    docs.state.set({ kind: 'error', failure: fakeFailure({ stderrTail: ['no'] }) });
    expect(host.refresh()).toEqual([docs.id]);
    docs.state.set({ kind: 'error', failure: fakeFailure({ stderrTail: ['no'] }) });
    expect(host.refresh()).toEqual([]);
  });

  it('is a server whose tooltip somebody saw, when that changed', () => {
    const slow = (pauseMs: number) =>
      ({ ...connected, slowLists: { lists: ['tools'], pauseMs } }) as const;
    const docs = new FakeServer(fakeDefinition('docs'), slow(8000));
    const host = new Host(fakePool([docs]));
    docs.state.set(slow(9000));
    expect(host.refresh()).toEqual([]);
    const node = host.node(docs.id);
    expect(JSON.stringify(node && host.tree.tooltip(node))).toContain('every 9 s');
    docs.state.set(slow(7000));
    expect(host.refresh()).toEqual([docs.id]);
    expect(host.refresh()).toEqual([]);
  });

  it('is what holds very many rows when all of them changed', () => {
    const many = (word: string) =>
      Array.from({ length: 300 }, (_, at) => ({ ...read, name: `t${at}`, description: word }));
    const server = new FakeServer(fakeDefinition('docs'), connected, { tools: many('one') });
    const host = new Host(fakePool([server]));
    server.catalog.set({ ...server.catalog.value, tools: many('two') });
    expect(host.refresh()).toEqual([`${server.id}/tools`]);
    expect(host.refresh()).toEqual([]);
  });

  it('is nothing that the host has not asked for', () => {
    const docs = idle('docs');
    const service = new FakeService([fakePool([docs])]);
    const tree = new DrawnTree(service as unknown as McpService, () => ({
      isWorkspaceTrusted: true,
      folderTrust: (): FolderTrust => ({ kind: 'none' }),
    }));
    docs.state.set(connected);
    expect(tree.changes('all')).toEqual([]);
    const [pool] = tree.children();
    service.pools = [fakePool([docs, idle('other')])];
    expect(tree.changes('all')).toEqual([]);
    expect(tree.children(pool)).toHaveLength(2);
  });

  it('finds the parents of a row by the objects that the host has', () => {
    const docs = idle('docs');
    const host = new Host(fakePool([docs]));
    const row = host.tree.known(serverNode(docs));
    expect(row).toBe(host.node(docs.id));
    const pool = host.tree.parent(row);
    expect(pool).toBe(host.node('global'));
    expect(pool && host.tree.parent(pool)).toBeUndefined();
  });
});

function idle(name: string): FakeServer {
  return new FakeServer(fakeDefinition(name), { kind: 'idle' });
}

function files(): FakeServer {
  const tools = [read, write];
  return new FakeServer(fakeDefinition('files', { folder }), connected, { tools });
}

import { describe, expect, it } from 'vitest';
import type { ToolFacts } from '../../../../../src/agent/tools/toolOverview.js';
import type { FolderTrust } from '../../../../../src/mcp/mcpApi.js';
import { serverPageView } from '../../../../../src/presentation/server/serverPageView.js';
import { presentNode } from '../../../../../src/presentation/tree/nodes.js';
import { nodeTooltip } from '../../../../../src/presentation/tree/tooltips/nodeTooltip.js';
import {
  FakeServer,
  FakeService,
  fakeDefinition,
  fakeFolder,
  fakePool,
} from '../../../../helpers/fakes/fakeMcp.js';

const tool = { name: 'read', description: 'Reads a file.', inputSchema: {} };
const usual: ToolFacts = {
  modelName: 'files__read',
  exposure: 'direct',
  tokens: 40,
  isOn: true,
  isOutOfProfile: false,
  offIn: [],
  allowed: [],
};

function present(facts: Partial<ToolFacts> | undefined) {
  const server = new FakeServer(
    fakeDefinition('files', { folder: fakeFolder('api') }),
    { kind: 'idle' },
    {
      tools: [tool],
    },
  );
  return presentNode(
    { kind: 'tool', server, tool },
    {
      isWorkspaceTrusted: true,
      folderTrust: (): FolderTrust => ({ kind: 'none' }),
      toolFacts: () => facts && { ...usual, ...facts },
    },
  );
}

function tooltip(facts: Partial<ToolFacts>): string {
  return present(facts)
    .tooltip.map((part) => ('text' in part ? part.text : ''))
    .join('\n');
}

describe('a tool in the tree', () => {
  it('has a box that is checked while the tool is on', () => {
    expect(present({}).isChecked).toBe(true);
    expect(present({ isOn: false })).toMatchObject({
      isChecked: false,
      description: 'off · Reads a file.',
    });
    expect(present(undefined).isChecked).toBeUndefined();
  });

  it('says that the profile leaves it out, and the group how many are in use', () => {
    expect(present({ isOutOfProfile: true })).toMatchObject({
      isChecked: true,
      description: 'not in the profile · Reads a file.',
    });
    const folder = fakeFolder('api');
    const tools = ['read', 'write', 'off'].map((name) => ({ ...tool, name }));
    const definition = fakeDefinition('files', { folder });
    const server = new FakeServer(definition, { kind: 'idle' }, { tools });
    const context = {
      isWorkspaceTrusted: true,
      folderTrust: (): FolderTrust => ({ kind: 'none' }),
      toolFacts: (_server: unknown, name: string) => ({
        ...usual,
        isOn: name !== 'off',
        isOutOfProfile: name === 'write',
        exposure: name === 'read' ? ('direct' as const) : ('hidden' as const),
      }),
    };
    const group = { kind: 'group', server, group: 'tools' } as const;
    const row = { kind: 'server', server } as const;
    const texts = (known: object) =>
      [group, row].map((node) => presentNode(node, { ...context, ...known }).description);
    expect(texts({ toolFacts: () => usual })).toEqual(['3 · 120 tokens', '3 tools']);
    expect(texts({})).toEqual(['1/3 tools · 40 of 80 tokens', '3 tools']);
    const chosen = { source: 'user', name: 'review', profile: undefined } as const;
    const narrowed = { ...context, profileOf: () => chosen };
    expect(texts(narrowed)).toEqual(['1/3 tools · 40 of 80 tokens', '1/3 tools']);
    expect(texts({ ...narrowed, toolFacts: () => undefined })).toEqual(['3', '3 tools']);
    const pool = fakePool([server], { folder });
    expect(presentNode({ kind: 'pool', pool }, narrowed).description).toContain(
      'missing profile: review',
    );
    const lost = { ...narrowed, unknownPatterns: () => ['files/reed', '$(x)'] };
    const named = presentNode({ kind: 'pool', pool }, lost);
    expect(named.description).toContain('unmatched patterns: 2');
    expect(nodeTooltip({ kind: 'pool', pool }, lost)).toContainEqual({
      kind: 'paragraph',
      text: 'unmatched patterns: files/reed, $(x)',
    });
  });

  it('shows the name that the model uses, its cost and how it reaches the model', () => {
    expect(tooltip({})).toContain('files__read\nOffered to the model in every request; 40 tokens');
    expect(tooltip({ exposure: 'search' })).toContain('Found by the model through ToolSearch');
  });

  it('says that a conversation goes on without a tool, and offers to check its box', () => {
    const facts = { refusal: 'Its schema is bad.' };
    expect(present(facts)).toMatchObject({
      icon: 'warning',
      isChecked: false,
      description: 'set aside, refused by the provider · Reads a file.',
    });
    expect(tooltip(facts)).toContain('The provider said: Its schema is bad.');
  });

  it('says why a tool is kept from the model', () => {
    const facts = { exposure: 'hidden', problem: 'Its schema cannot be used.' } as const;
    expect(present(facts)).toMatchObject({
      icon: 'warning',
      description: 'kept from the model · Reads a file.',
    });
    expect(tooltip(facts)).toContain('Its schema cannot be used.');
    expect(present(facts).spoken).toContain('kept from the model');
  });

  it('says where it is off, that it runs without asking, and offers to undo both', () => {
    const record = {
      folderUri: undefined,
      scope: 'global',
      server: 'files',
      tool: 'read',
      allowedAt: '2026-01-01T00:00:00Z',
      pin: { fingerprint: '', definition: {} },
    } as const;
    const shown = present({ offIn: ['web'], allowed: [record] });
    expect(shown.description).toBe('off in web · runs without asking · Reads a file.');
    expect(shown.flags.split(' ')).toEqual(['tool', 'allowedAlways']);
    expect(present({}).flags).toBe('tool');
  });

  it('tells how its calls went', () => {
    const statistic = {
      server: 'files',
      tool: 'read',
      calls: 3,
      bytes: 900,
      tokens: 70,
      errors: { timeout: 1 },
      durations: [5, 9, 100],
    };
    expect(tooltip({ statistic })).toContain(
      '3 calls, 1 failed, median 9 ms, 95 % within 100 ms, 900 bytes, 70 tokens',
    );
    expect(tooltip({ statistic: { ...statistic, calls: 1 } })).toContain('1 call, 1 failed, ');
  });
});

describe('a server in the tree', () => {
  const tools = ['direct', 'search', 'hidden'].map((name) => ({ ...tool, name }));
  const server = new FakeServer(fakeDefinition('files'), { kind: 'idle' }, { tools });
  const context = (isCounted: boolean) => ({
    isWorkspaceTrusted: true,
    folderTrust: (): FolderTrust => ({ kind: 'none' }),
    toolFacts: (_server: unknown, name: string) =>
      isCounted ? { ...usual, exposure: name as ToolFacts['exposure'] } : undefined,
  });

  it('shows what its tools cost a model, once that is known', () => {
    const page = (isCounted: boolean) => {
      const service = new FakeService([fakePool([server])]);
      return serverPageView(service, { id: server.id, name: 'files' }, context(isCounted));
    };
    const cost = { label: 'Tools', text: '40 tokens in every request, 80 with all' };
    expect(page(true).sections.flatMap(({ facts }) => facts)).toContainEqual(cost);
    expect(page(true).tools.map(({ figures }) => figures)).toEqual(Array(3).fill('40 tokens'));
    expect(JSON.stringify(page(false))).not.toContain('tokens');
    const group = { kind: 'group', group: 'tools', server } as const;
    expect(presentNode(group, context(true)).description).toBe('3 · 80 tokens');
    expect(presentNode(group, context(false)).description).toBe('3');
  });
});

/** Many servers, switched in one go on the whole core: what is said before, what is written, what runs then. */
import { readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ServerSwitch } from '../../src/config/configuration.js';
import type { WorkspaceFolder } from '../../src/config/definition.js';
import { callableTools } from '../../src/mcp/catalog/own/resourceTool.js';
import type { McpService } from '../../src/mcp/mcpApi.js';
import { previewSwitches } from '../../src/presentation/switching/switchPreview.js';
import { switchPreviewView } from '../../src/presentation/switching/switchPreviewText.js';
import {
  everything,
  find,
  memory,
  pidOf,
  reach,
  states,
  useCoreHarness,
} from '../helpers/coreHarness.js';
import { toolParts } from '../helpers/toolParts.js';

const remote = { url: 'http://127.0.0.1:9/mcp', enabled: false };

const harness = useCoreHarness();
let folder: WorkspaceFolder;
let service: McpService;
let parts: Parameters<typeof previewSwitches>[1];

beforeEach(async () => {
  await harness.writeGlobal({ everything, memory: { ...memory, enabled: false } });

  folder = await harness.addFolder('work', { notes: { ...memory, enabled: false }, remote });
  service = harness.open();
  const { budget, switches, directTools } = toolParts();
  parts = { service, policy: { budget, switches }, directTools };
  await service.whenStarted();
});

function switchesOf(names: Readonly<Record<string, boolean>>): readonly ServerSwitch[] {
  return Object.entries(names).map(([name, isEnabled]) => ({
    id: find(service, name).id,
    isEnabled,
  }));
}

function fileOf({ fsPath }: WorkspaceFolder): string {
  return join(fsPath ?? '', '.mcp.json');
}

async function texts(): Promise<readonly string[]> {
  return [await harness.readGlobal(), await readFile(fileOf(folder), 'utf8')];
}

describe('the preview of staged switches', () => {
  it('says what starts, stops and asks and what it costs, and touches nothing', async () => {
    const before = { texts: await texts(), states: states(service) };
    const preview = await previewSwitches(
      switchesOf({ everything: false, memory: true, notes: true, remote: true }),
      parts,
    );
    expect(preview.servers.map(({ server, effect }) => [server.definition.name, effect])).toEqual([
      ['everything', 'stops'],
      ['memory', 'starts'],
      ['notes', 'asks'],
      // a loopback address in a folder's file
      ['remote', 'asks'],
    ]);
    const [cost] = preview.costs;
    expect(cost?.before.direct.tools).toBe(callableTools(find(service, 'everything')).length);
    expect(cost?.before.direct.tokens).toBeGreaterThan(0);
    // nobody has ever seen what the others offer
    expect(cost?.after.direct).toEqual({ tools: 0, tokens: 0 });
    expect(switchPreviewView(preview)).toEqual({
      summary: `1 start, 2 need trust, 1 stop, tokens in every request: ${cost?.before.direct.tokens} → 0. Cost appears after the first start.`,
      effects: {
        [find(service, 'everything').id]: 'It stops.',
        [find(service, 'memory').id]: 'It starts.',
        [find(service, 'notes').id]: 'The server waits for your trust before it runs.',
        [find(service, 'remote').id]: 'The server waits for your trust before it runs.',
      },
    });
    expect({ texts: await texts(), states: states(service) }).toEqual(before);
  });

  it('tells Restricted Mode, the master switch and a broken entry from a start', async () => {
    await harness.write(folder, {
      notes: { ...memory, enabled: false },
      odd: { enabled: false, command: 1 },
    });
    await service.reload();
    harness.setTrusted(false);
    const effects = async (names: Readonly<Record<string, boolean>>) => {
      const { servers } = await previewSwitches(switchesOf(names), parts);
      return servers.map(({ effect }) => effect);
    };
    expect(await effects({ notes: true, odd: true })).toEqual(['restricted', 'invalid']);
    await service.configuration.setMasterDisabled('global', true);
    expect(await effects({ memory: true })).toEqual(['masterOff']);
  });

  it('changes nothing by what is so already, and by servers that are gone', async () => {
    const preview = await previewSwitches(
      [...switchesOf({ everything: true }), { id: 'global#gone', isEnabled: true }],
      parts,
    );
    expect(preview).toMatchObject({ servers: [], isCostKnown: true });
    const [cost] = preview.costs;
    expect(cost?.after).toEqual(cost?.before);
  });
});

describe('applying staged switches', () => {
  it('shows the servers of all files at once, runs what may run, and gives every byte back', async () => {
    const before = await texts();
    const seen = new Set<string>();
    service.onDidChangePools(() => {
      seen.add(service.servers.map(({ definition }) => definition.enabled).join());
    });
    const switchAll = (isBack: boolean) =>
      service.configuration.setEnabledTogether(
        switchesOf({ everything: isBack, memory: !isBack, notes: !isBack }),
      );
    await switchAll(false);
    await reach(find(service, 'memory'), 'connected');
    expect([...seen]).toEqual(['false,true,true,false']);
    expect(states(service)).toEqual({
      everything: 'disabled',
      memory: 'connected',
      notes: 'trust_required',
      remote: 'disabled',
    });
    expect(pidOf(find(service, 'memory'))).toBeGreaterThan(0);
    await switchAll(true);
    expect(await texts()).toEqual(before);
    expect(states(service)).toMatchObject({ memory: 'disabled', notes: 'disabled' });
  });

  it('writes nothing when one of the files has a syntax error', async () => {
    await writeFile(fileOf(folder), '{ "mcpServers": {');
    await service.reload();
    const before = await texts();
    await expect(
      service.configuration.setEnabledTogether(switchesOf({ memory: true, notes: true })),
    ).rejects.toMatchObject({ code: 'config_broken' });
    expect(await texts()).toEqual(before);
    expect(states(service)).toMatchObject({ memory: 'disabled' });
  });

  it('takes back what was written when a later file cannot be', async () => {
    // a folder that is trusted is read through its links, and never written through them
    await service.trust.trustFolder(folder.uri);
    const outside = join(harness.root, 'outside.json');
    await rename(fileOf(folder), outside);
    await symlink(outside, fileOf(folder));
    await service.reload();
    const before = await texts();
    await expect(
      service.configuration.setEnabledTogether(switchesOf({ memory: true, notes: true })),
    ).rejects.toThrow();
    expect(await texts()).toEqual(before);
    expect(states(service)).toMatchObject({ memory: 'disabled', notes: 'disabled' });
  });
});

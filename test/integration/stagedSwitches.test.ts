/** Many servers and tools, switched in one go on the whole core: what is said before, what is written, what runs then. */
import { readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { WorkspaceFolder } from '../../src/config/definition.js';
import { callableTools } from '../../src/mcp/catalog/own/resourceTool.js';
import type { McpService } from '../../src/mcp/mcpApi.js';
import type { StagedSwitches } from '../../src/presentation/switching/stagedSwitches.js';
import { previewSwitches } from '../../src/presentation/switching/switchPreview.js';
import { previewText } from '../../src/presentation/switching/switchPreviewText.js';
import { applySwitches, switchTargets } from '../../src/presentation/switching/switchTargets.js';
import {
  CoreHarness,
  everything,
  find,
  memory,
  pidOf,
  reach,
  states,
} from '../helpers/coreHarness.js';
import { toolParts } from '../helpers/toolParts.js';

const remote = { url: 'http://127.0.0.1:9/mcp', enabled: false };

let harness: CoreHarness;
let folder: WorkspaceFolder;
let service: McpService;
let parts: ReturnType<typeof toolParts> & { readonly service: McpService };

beforeEach(async () => {
  harness = await CoreHarness.create();
  await harness.writeGlobal({ everything, memory: { ...memory, enabled: false } });
  folder = await harness.addFolder('work', { notes: { ...memory, enabled: false }, remote });
  service = harness.open();
  parts = { ...toolParts(), service };
  await service.whenStarted();
});

afterEach(() => harness.dispose());

function targets() {
  return switchTargets(service, parts);
}

/** @param names of servers, or of tools as `server/tool` */
function stage(names: Readonly<Record<string, boolean>>): StagedSwitches {
  return new Map(
    Object.entries(names).map(([name, isOn]) => {
      const [server = '', tool] = name.split('/');
      const found = targets().find(
        (one) =>
          one.server.definition.name === server &&
          (one.kind === 'tool' ? one.tool === tool : tool === undefined),
      );
      return [found?.key ?? '', isOn];
    }),
  );
}

function fileOf({ fsPath }: WorkspaceFolder): string {
  return join(fsPath ?? '', '.mcp.json');
}

async function texts(): Promise<readonly string[]> {
  return [await harness.readGlobal(), await readFile(fileOf(folder), 'utf8')];
}

function isEchoOn(): boolean {
  return parts.switches.isOn({ folderUri: undefined, server: 'everything', tool: 'echo' });
}

describe('the preview of staged switches', () => {
  it('says what starts, stops and asks and what it costs, and touches nothing', async () => {
    const before = { texts: await texts(), states: states(service) };
    const staged = stage({ everything: false, memory: true, notes: true, remote: true });
    const preview = await previewSwitches(staged, targets(), parts);
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
    expect(preview.unknown.map(({ definition }) => definition.name)).toEqual([
      'memory',
      'notes',
      'remote',
    ]);
    expect(previewText(preview).summary).toBe(
      `1 start, 2 need trust, 1 stop, tokens in every request: ${cost?.before.direct.tokens} → 0`,
    );
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
      const { servers } = await previewSwitches(stage(names), targets(), parts);
      return servers.map(({ effect }) => effect);
    };
    expect(await effects({ notes: true, odd: true })).toEqual(['restricted', 'invalid']);
    await service.configuration.setMasterDisabled('global', true);
    expect(await effects({ memory: true })).toEqual(['masterOff']);
  });

  it('counts single tools as they would reach the model', async () => {
    const before = (await previewSwitches(new Map(), targets(), parts)).costs[0]?.before.direct;
    const preview = await previewSwitches(stage({ 'everything/echo': false }), targets(), parts);
    expect(preview.tools.map(({ tool, isOn }) => [tool, isOn])).toEqual([['echo', false]]);
    const after = preview.costs[0]?.after.direct;
    expect(after?.tools).toBe((before?.tools ?? 0) - 1);
    expect(after?.tokens).toBeLessThan(before?.tokens ?? 0);
    expect(isEchoOn()).toBe(true);
  });
});

describe('applying staged switches', () => {
  it('shows the servers of all files at once, runs what may run, and gives every byte back', async () => {
    const before = await texts();
    const seen = new Set<string>();
    service.onDidChangePools(() => {
      seen.add(service.servers.map(({ definition }) => definition.enabled).join());
    });
    const staged = stage({
      everything: false,
      memory: true,
      notes: true,
      'everything/echo': false,
    });
    const takeBack = await applySwitches(staged, targets(), parts);
    await reach(find(service, 'memory'), 'connected');
    expect([...seen]).toEqual(['false,true,true,false']);
    expect(states(service)).toEqual({
      everything: 'disabled',
      memory: 'connected',
      notes: 'trust_required',
      remote: 'disabled',
    });
    expect(pidOf(find(service, 'memory'))).toBeGreaterThan(0);
    expect(isEchoOn()).toBe(false);
    await takeBack();
    expect(await texts()).toEqual(before);
    expect(states(service)).toMatchObject({ memory: 'disabled', notes: 'disabled' });
    expect(isEchoOn()).toBe(true);
  });

  it('writes nothing when one of the files has a syntax error', async () => {
    await writeFile(fileOf(folder), '{ "mcpServers": {');
    await service.reload();
    const before = await texts();
    await expect(
      applySwitches(stage({ memory: true, notes: true }), targets(), parts),
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
      applySwitches(stage({ memory: true, notes: true }), targets(), parts),
    ).rejects.toThrow();
    expect(await texts()).toEqual(before);
    expect(states(service)).toMatchObject({ memory: 'disabled', notes: 'disabled' });
  });

  it('leaves servers alone that are gone by then', async () => {
    const former = targets();
    const staged = stage({ memory: true, remote: true });
    await harness.write(folder, {});
    await service.reload();
    await applySwitches(staged, former, parts);
    expect(states(service)).toMatchObject({ memory: expect.stringMatching(/connect/) });
  });
});

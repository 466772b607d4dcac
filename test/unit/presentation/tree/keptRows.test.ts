import { describe, expect, it } from 'vitest';
import type { FolderTrust, McpService } from '../../../../src/mcp/mcpApi.js';
import { readKeptRows } from '../../../../src/presentation/tree/keptRows.js';
import { rowsToKeep } from '../../../../src/presentation/tree/rowsToKeep.js';
import {
  FakeServer,
  FakeService,
  fakeDefinition,
  fakeFolder,
  fakePool,
} from '../../../helpers/fakes/fakeMcp.js';

const folder = fakeFolder('api');
const tools = [{ name: 'read', inputSchema: {}, annotations: {} }];

function service(...pools: ReturnType<typeof fakePool>[]): McpService {
  return Object.assign(new FakeService(pools), {
    trust: { isWorkspaceTrusted: true, folderTrust: (): FolderTrust => ({ kind: 'none' }) },
  }) as unknown as McpService;
}

const row = (id: string, label: string, icon: string, expansion: string, rows: unknown[] = []) => ({
  kind: 'kept',
  id,
  label,
  icon,
  expansion,
  rows,
});

describe('the rows for the next window', () => {
  it('have the names of folders and servers, and the state of none', () => {
    const docs = new FakeServer(fakeDefinition('docs'), { kind: 'disabled', by: 'server' });
    const files = new FakeServer(
      fakeDefinition('files', { folder }),
      { kind: 'connected', transport: 'stdio', since: 0, connectMs: 850 },
      { tools },
    );
    const kept = rowsToKeep(service(fakePool([docs]), fakePool([files], { folder })));
    expect(kept).toEqual([
      row(docs.definition.poolId, 'User', 'globe', 'expanded', [
        row(docs.id, 'docs', 'circle-outline', 'none'),
      ]),
      row(folder.uri, 'api', 'root-folder', 'expanded', [
        row(files.id, 'files', 'circle-outline', 'collapsed'),
      ]),
    ]);
    expect(readKeptRows(JSON.parse(JSON.stringify(kept)))).toEqual(kept);
  });

  it('are those in sight', () => {
    const servers = Array.from(
      { length: 1000 },
      (_, at) => new FakeServer(fakeDefinition(`server${at}`), { kind: 'idle' }),
    );
    expect(rowsToKeep(service(fakePool(servers)))[0]?.rows).toHaveLength(200);
  });
});

it('shows nothing of what another version kept', () => {
  const good = row('a', 'a', 'globe', 'expanded', [row('b', 'b', 'globe', 'none')]);
  expect(readKeptRows([good])).toEqual([good]);
  const others = [
    undefined,
    'text',
    {},
    [{ ...good, expansion: 'open' }],
    [{ ...good, kind: 'server' }],
    [{ ...good, label: undefined }],
    [{ ...good, rows: [{ id: 'b' }] }],
    [{ ...good, rows: undefined }],
  ];
  expect(others.map(readKeptRows)).toEqual(others.map(() => []));
});

/** In which of the open folders a server of the user is used, on its page. */
import { expect, it } from 'vitest';
import type { McpService } from '../../../../src/mcp/mcpApi.js';
import { serverPageView } from '../../../../src/presentation/server/serverPageView.js';
import {
  FakeServer,
  FakeService,
  fakeDefinition,
  fakeFolder,
  fakePool,
} from '../../../helpers/fakes/fakeMcp.js';

const [app, docs] = [fakeFolder('app'), fakeFolder('docs')];

class SwitchedServer extends FakeServer {
  constructor(private readonly off: readonly string[]) {
    super(fakeDefinition('notes'), { kind: 'idle' });
  }

  override isHiddenIn(uri = ''): boolean {
    return this.off.includes(uri);
  }
}

const ownOf = (folder: typeof app) =>
  new FakeServer(fakeDefinition('notes', { folder }), { kind: 'idle' });

function usedIn(server: FakeServer, docsServers: readonly FakeServer[], folders = [app, docs]) {
  const pools = [
    fakePool([server]),
    ...folders.map((folder) => fakePool(folder === docs ? docsServers : [], { folder })),
  ];
  const service = new FakeService(pools) as unknown as McpService;
  const context = { isWorkspaceTrusted: true, folderTrust: () => ({ kind: 'none' as const }) };
  const { sections } = serverPageView(service, { id: server.id, name: 'notes' }, context);
  return sections.flatMap(({ facts }) => facts).find(({ label }) => label === 'used in')?.text;
}

it('names the folders, but for those where it is off or one of its name is', () => {
  expect(usedIn(new SwitchedServer([]), [])).toBe('app, docs');
  expect(usedIn(new SwitchedServer([app.uri]), [])).toBe('docs');
  expect(usedIn(new SwitchedServer([]), [ownOf(docs)])).toBe('app');
  expect(usedIn(new SwitchedServer([app.uri]), [ownOf(docs)])).toBe('no open folder');
});

it('says nothing where no folder is open, or of a server of a folder', () => {
  expect(usedIn(new SwitchedServer([]), [], [])).toBeUndefined();
  const own = ownOf(docs);
  expect(usedIn(own, [own])).toBeUndefined();
});

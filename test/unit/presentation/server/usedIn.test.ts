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

class HiddenServer extends FakeServer {
  constructor(private readonly folders: readonly string[]) {
    super(fakeDefinition('notes'), { kind: 'idle' });
  }

  override isHiddenIn(uri = ''): boolean {
    return this.folders.includes(uri);
  }
}

function usedIn(server: FakeServer, folders = [app, docs]) {
  const pools = [fakePool([server]), ...folders.map((folder) => fakePool([], { folder }))];
  const service = new FakeService(pools) as unknown as McpService;
  const context = { isWorkspaceTrusted: true, folderTrust: () => ({ kind: 'none' as const }) };
  const { sections } = serverPageView(service, { id: server.id, name: 'notes' }, context);
  return sections.flatMap(({ facts }) => facts).find(({ label }) => label === 'used in')?.text;
}

// that one of its name hides it is shown with the real service
it('names the folders, but for those where it is hidden', () => {
  expect(usedIn(new HiddenServer([]))).toBe('app, docs');
  expect(usedIn(new HiddenServer([app.uri]))).toBe('docs');
  expect(usedIn(new HiddenServer([app.uri, docs.uri]))).toBe('no open folder');
});

it('says nothing where no folder is open, or of a server of a folder', () => {
  expect(usedIn(new HiddenServer([]), [])).toBeUndefined();
  const own = new FakeServer(fakeDefinition('notes', { folder: docs }), { kind: 'idle' });
  expect(usedIn(own)).toBeUndefined();
});

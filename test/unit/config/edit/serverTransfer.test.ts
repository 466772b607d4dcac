import { expect, it } from 'vitest';
import { EditableConfig } from '../../../../src/config/edit/editConfig.js';
import { type TransferHooks, transferServer } from '../../../../src/config/edit/serverTransfer.js';
import type { ConfigFileLocation } from '../../../../src/config/parse/configLocations.js';
import { Authorizations } from '../../../../src/mcp/oauth/authorizations.js';
import { credentialKey } from '../../../../src/mcp/oauth/storedCredentials.js';
import {
  createTransferHooks,
  type TransferParts,
} from '../../../../src/mcp/service/transferHooks.js';
import { OpenSecrets } from '../../../fixtures/signIn.js';
import { fakeDefinition } from '../../../helpers/fakes/fakeMcp.js';

const definition = fakeDefinition('notes');
const url = 'https://notes.example/mcp';

function setUp() {
  const secrets = new OpenSecrets();
  secrets.values.set(credentialKey(definition.id), 'of the account');
  const parts: Partial<TransferParts> = {
    homeDir: '/home/user',
    authorizations: new Authorizations({ secrets }),
  };
  const place = (path: string): ConfigFileLocation => ({
    layer: 'user',
    path,
    isForeignFile: false,
    isPrimary: true,
  });
  const texts = new Map([['/a.json', JSON.stringify({ mcpServers: { notes: { url } } })]]);
  const readOnly = new Set<string>();
  const open = async (location: ConfigFileLocation) =>
    new EditableConfig(texts.get(location.path) ?? '', location);
  const edit = async (
    location: ConfigFileLocation,
    change: (config: EditableConfig) => EditableConfig,
  ) => {
    if (readOnly.has(location.path)) {
      throw new Error('EROFS');
    }
    texts.set(location.path, change(await open(location)).text);
  };
  const hooks: TransferHooks = createTransferHooks(parts as TransferParts);
  const move = () =>
    transferServer(
      definition,
      { from: place('/a.json'), to: place('/b.json') },
      { poolId: 'global', file: 'primary', name: 'renamed', isCopy: false },
      { files: { open, edit }, hooks },
    );
  return { secrets, texts, readOnly, move };
}

it('takes the account of a server along', async () => {
  const { secrets, texts, move } = setUp();
  const moved = await move();
  expect([...secrets.values.keys()]).toEqual([credentialKey(moved)]);
  expect(JSON.parse(texts.get('/a.json') ?? '')).toEqual({ mcpServers: {} });
});

it.each(['/a.json', '/b.json'])(
  'leaves the account in one place where %s cannot be written',
  async (path) => {
    const { secrets, readOnly, move } = setUp();
    readOnly.add(path);
    await expect(move()).rejects.toThrow('EROFS');
    expect([...secrets.values.keys()]).toEqual([credentialKey(definition.id)]);
  },
);

it.each([
  ['is one of two of its name', 'duplicate-name', `{"url": "${url}"}, "notes": {"url": "${url}"}`],
  ['holds switches for a server of another file', 'no-command-or-url', '{"enabled": false}'],
  ['has an empty command', 'empty-command', '{"command": ""}'],
  ['is gone', 'server_unknown', undefined],
])('writes nothing where the entry %s', async (_what, code, entry) => {
  const { secrets, texts, move } = setUp();
  texts.set('/a.json', `{"mcpServers": {${entry ? `"notes": ${entry}` : ''}}}`);
  await expect(move()).rejects.toMatchObject({ code });
  expect([...texts.keys()]).toEqual(['/a.json']);
  expect([...secrets.values.keys()]).toEqual([credentialKey(definition.id)]);
});

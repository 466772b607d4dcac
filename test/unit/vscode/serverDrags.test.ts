/** What falls on the tree of servers. */
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { ServerDrags } from '../../../src/vscode/views/serverDrags.js';

type Parts = ConstructorParameters<typeof ServerDrags>;
type Data = Parameters<ServerDrags['handleDrop']>[1];

class Item {
  constructor(readonly value: unknown) {}
  asString = async () => String(this.value);
}

function open(shows: (paths: readonly string[]) => Promise<void>) {
  const data = new Map<string, Item>();
  const Uri = { parse: (text: string) => ({ fsPath: fileURLToPath(text) }) };
  const api = { DataTransferItem: Item, Uri } as unknown as Parts[0];
  const service = { getServer: () => undefined, getPool: () => undefined } as unknown as Parts[1];
  const errors: unknown[] = [];
  const uses = { move: () => Promise.reject(new Error('moved')), showBundles: shows };
  const drags = new ServerDrags(api, service, uses, (error) => errors.push(error));
  const drop = async (list: string) => {
    data.set('text/uri-list', new Item(list));
    await drags.handleDrop(undefined, data as unknown as Data);
  };
  return { drags, data, drop, errors };
}

it('shows the bundles among files that are dropped, in one go', async () => {
  const shown: (readonly string[])[] = [];
  const { drop, errors } = open(async (paths) => void shown.push(paths));
  await drop('file:///tmp/a%20b.mcpb\r\nfile:///tmp/notes.txt\r\nfile:///tmp/old.DXT');
  expect(shown).toEqual([['/tmp/a b.mcpb', '/tmp/old.DXT']]);
  // no other machine is asked, and nothing else is a bundle
  await drop('https://example.com/a.mcpb\nfile:///tmp/a.mcpb.zip\nvscode-remote://x/a.mcpb');
  await drop('');
  expect(shown).toHaveLength(1);
  expect(errors).toEqual([]);
});

it('says what goes wrong, and takes rows for no files', async () => {
  const { drags, data, drop, errors } = open(() => Promise.reject(new Error('unreadable')));
  await drop('file:///tmp/a.mcpb');
  expect(errors).toMatchObject([{ message: 'unreadable' }]);
  const node = { kind: 'server', server: { id: 'global#a' } };
  await drags.handleDrag([node as never], data as unknown as Data);
  await drop('file:///tmp/a.mcpb');
  expect(errors).toHaveLength(1);
});

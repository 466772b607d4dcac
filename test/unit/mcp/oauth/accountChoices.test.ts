import { describe, expect, it } from 'vitest';
import { serverId } from '../../../../src/config/definition.js';
import { nullLoggers } from '../../../../src/config/ports.js';
import { AccountChoices } from '../../../../src/mcp/oauth/accountChoices.js';
import {
  accountId,
  accountOfKey,
  credentialKey,
  serverOfAccount,
} from '../../../../src/mcp/oauth/storedCredentials.js';

const notes = serverId('global', 'notes');
const folder = { uri: 'file:///srv/shop', name: 'shop', fsPath: '/srv/shop' };
const own = serverId(folder.uri, 'notes');

function choices(folders = [folder]): AccountChoices {
  const watcher = { watch: () => ({ dispose: () => undefined, begun: Promise.resolve() }) };
  return new AccountChoices(
    { directory: undefined, watcher, logger: nullLoggers.main },
    { folders },
  );
}

describe('the key of an account', () => {
  it.each(['work', 'a#b', 'ü/ "x"', '__proto__', '\ud800'])('tells server and name: %j', (name) => {
    for (const server of [notes, own]) {
      const account = accountId(server, name);
      expect(accountOfKey(credentialKey(account))).toBe(account);
      expect(serverOfAccount(account)).toBe(server);
    }
  });

  it('is that of no other server, whatever that is called', () => {
    const named = accountId(notes, 'work');
    for (const name of ['notes#work', 'notes%23work', 'work', '#notes#work']) {
      expect(serverId('global', name)).not.toBe(named);
    }
  });

  it('of the account without a name is that of the server', () => {
    expect(accountId(notes, undefined)).toBe(notes);
    expect(serverOfAccount(notes)).toBe(notes);
  });
});

describe('the account that is used', () => {
  it('is the one without a name until the user chooses', async () => {
    const subject = choices();
    expect([subject.used(notes), subject.names(notes)]).toEqual([undefined, []]);
    await subject.use(notes, 'work');
    await subject.use(own, 'home');
    expect([subject.used(notes), subject.used(own)]).toEqual(['work', 'home']);
    await subject.use(notes, undefined);
    expect([subject.used(notes), subject.names(notes)]).toEqual([undefined, ['work']]);
  });

  it('of a server of all folders is that of the first one', async () => {
    const other = { ...folder, uri: 'file:///srv/other' };
    const folders = [folder];
    const subject = choices(folders);
    await subject.use(notes, 'work');
    folders.push(other);
    expect(subject.used(notes)).toBe('work');
    folders.shift();
    expect(subject.used(notes)).toBeUndefined();
    folders.shift();
    expect(subject.used(notes)).toBeUndefined();
  });

  it('keeps its name while a folder uses it', async () => {
    const subject = choices();
    await subject.use(notes, 'work');
    await subject.forget(notes, 'work');
    expect([subject.used(notes), subject.names(notes)]).toEqual(['work', ['work']]);
    await subject.use(notes, undefined);
    expect(subject.names(notes)).toEqual([]);
  });

  it.each(['constructor', '__proto__', 'toString'])('may be called %s', async (name) => {
    const subject = choices();
    expect(subject.used(name)).toBeUndefined();
    await subject.use(notes, name);
    expect([subject.used(notes), subject.names(notes)]).toEqual([name, [name]]);
  });

  it.each(['', ' work', 'work ', 'a\nb', 'a\u202eb', 'x'.repeat(61)])(
    'is not called %j',
    async (name) => {
      const subject = choices();
      await expect(subject.use(notes, name)).rejects.toMatchObject({ code: 'account_name' });
      expect(subject.names(notes)).toEqual([]);
    },
  );
});

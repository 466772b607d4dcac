import { describe, expect, it } from 'vitest';
import { configFields } from '../../../../src/config/schema/fields.js';
import { settingFields } from '../../../../src/config/schema/settings.js';
import {
  toEntryChange,
  toFormEntry,
} from '../../../../src/presentation/configPage/entryMapping.js';
import { formModels } from '../../../../src/presentation/configPage/formModel.js';
import type {
  ConfigFormEntry,
  FormGroup,
  FormValue,
} from '../../../../src/protocol/configProtocol.js';

const edited = (stored: object, values: Readonly<Record<string, FormValue | undefined>>) => {
  const form = toFormEntry({ ...stored });
  const present = Object.entries({ ...form.values, ...values }).filter(
    (entry): entry is [string, FormValue] => entry[1] !== undefined,
  );
  return toEntryChange({ ...form, values: Object.fromEntries(present) }, { ...stored }).entry;
};

describe('config entry mapping', () => {
  it('leaves what others wrote since the form was opened, where nobody changed it there', () => {
    const opened = { command: 'npx', args: ['old'], env: { A: 'x' } };
    const original = toFormEntry(opened);
    const form = { ...original, values: { ...original.values, debug: true } };
    const meanwhile = { command: 'npx', args: ['new'], cwd: '/work' };
    expect(toEntryChange(form, meanwhile, undefined, original).entry).toEqual({ debug: true });
  });

  it('keeps each variable that others wrote meanwhile beside one that was changed', () => {
    const hidden = '***REDACTED***';
    const opened = { command: 'a', env: { A: '1', B: '2', GONE: '3', TOKEN: hidden } };
    const original = toFormEntry(opened);
    const env = [
      { key: 'A', value: 'mine' },
      { key: 'B', value: '2' },
      { key: 'GONE', value: '3' },
      { key: 'RENAMED', value: hidden, storedKey: 'TOKEN' },
      { key: 'BOTH', value: 'mine' },
    ];
    const form = { ...original, values: { ...original.values, env } };
    const meanwhile = {
      command: 'a',
      env: { A: 'theirs', B: 'theirs', TOKEN: hidden, BOTH: 'theirs', NEW: 'theirs' },
    };
    expect(toEntryChange(form, meanwhile, undefined, original)).toEqual({
      entry: { env: { A: 'mine', B: 'theirs', RENAMED: hidden, BOTH: 'mine', NEW: 'theirs' } },
      renamedKeys: { env: { RENAMED: 'TOKEN' } },
    });
    const without = { kind: 'stdio' as const, values: { command: 'a' } };
    expect(toEntryChange(without, meanwhile, undefined, original).entry).toEqual({
      env: { BOTH: 'theirs', NEW: 'theirs' },
    });
  });

  it('shows the fields of each kind, without what is the default anyway', () => {
    expect(
      toFormEntry({
        command: 'npx',
        args: ['-y'],
        env: { A: 'x' },
        lifecycle: 'eager',
        debug: false,
        idleTimeout: 10,
        disabled: true,
      }),
    ).toEqual({
      kind: 'stdio',
      values: {
        command: 'npx',
        args: ['-y'],
        env: [{ key: 'A', value: 'x' }],
        lifecycle: 'eager',
        idleTimeout: 10,
        enabled: false,
      },
    });
    expect(
      toFormEntry({
        url: 'https://a.example',
        ignoreCertificateErrors: true,
        auth: false,
        directTools: ['a'],
        oauth: { scopes: ['a', 'b'], identityProvider: { clientId: 'c' }, dpop: true },
      }),
    ).toEqual({
      kind: 'http',
      values: {
        url: 'https://a.example',
        ignoreCertificateErrors: true,
        auth: 'false',
        directTools: ['a'],
        'oauth.scope': 'a b',
        'oauth.identityProvider.clientId': 'c',
        'oauth.dpop': 'true',
      },
    });
  });

  it('says which values it cannot show, and keeps them', () => {
    const env = { A: 'x', B: { inner: 1 }, C: null };
    const stored = { command: 7, args: 'x', env, lifecycle: 'now', idleTimeout: '1' };
    const form = toFormEntry(stored);
    expect(form).toEqual({
      kind: 'stdio',
      values: {},
      kept: ['command', 'args', 'env', 'lifecycle', 'idleTimeout'],
    });
    expect(toEntryChange(form, stored).entry).toEqual({});
    expect(edited(stored, { idleTimeout: 2 })).toEqual({ idleTimeout: 2 });
  });

  it('writes nothing for any value that is left alone, whatever its spelling', () => {
    const entries = [
      { command: ['npx', '-y'], environment: { A: 'x' }, note: 1 },
      { url: 'https://a', transport: 'http', auth: { CLIENT_ID: 'a' }, oauth: { scopes: ['a'] } },
      { command: 'a', directTools: 'search', exposure: 'auto', includeTools: [], debug: false },
    ];
    for (const stored of entries) {
      expect(toEntryChange(toFormEntry(stored), stored)).toEqual({ entry: {}, renamedKeys: {} });
    }
  });

  it('shows and writes a choice or a list', () => {
    const values = (roots: unknown) => toFormEntry({ command: 'a', roots }).values.roots;
    expect([values('none'), values(['b', 'c']), values(3)]).toEqual([
      'none',
      ['b', 'c'],
      undefined,
    ]);
    expect(edited({ command: 'a', roots: 'none' }, { roots: ['b'] })).toEqual({ roots: ['b'] });
    expect(edited({ command: 'a', roots: ['b'] }, { roots: 'folder' })).toEqual({
      roots: 'folder',
    });
    expect(edited({ command: 'a', roots: ['b'] }, { roots: undefined })).toEqual({
      roots: undefined,
    });
    const [field] = formModels().server.flatMap(({ fields }) =>
      fields.filter(({ id }) => id === 'roots'),
    );
    expect([field?.control, field?.options?.map(({ value }) => value)]).toEqual([
      'mixed',
      ['', 'folder', 'none', 'list'],
    ]);
  });

  it('keeps aliases and a command that is an array', () => {
    const stored = { command: ['npx', '-y'], environment: { A: 'x' } };
    expect(edited(stored, { args: ['-y', 'z'], env: [{ key: 'B', value: 'y' }] })).toEqual({
      command: ['npx', '-y', 'z'],
      args: undefined,
      environment: { B: 'y' },
    });
  });

  it('changes single fields of an object and keeps what it does not know', () => {
    const stored = { url: 'https://a', oauth: { clientId: 'a', mine: 1, redirectUri: 'http://x' } };
    expect(edited(stored, { 'oauth.clientId': 'b', 'oauth.redirectUrl': 'http://y' })).toEqual({
      oauth: { clientId: 'b', mine: 1, redirectUri: 'http://y' },
    });
    expect(edited({ url: 'a', oauth: { dpop: true } }, { 'oauth.dpop': undefined })).toEqual({
      oauth: undefined,
    });
    expect(edited({ url: 'a' }, { 'oauth.identityProvider.clientId': 'c', auth: 'false' })).toEqual(
      {
        auth: false,
        oauth: { identityProvider: { clientId: 'c' } },
      },
    );
  });

  it('shows the transport that the type stands for, and writes another one beside it', () => {
    const stored = { type: 'streamableHttp', url: 'https://a' };
    expect(toFormEntry(stored).values.transport).toBe('streamable-http');
    expect(edited(stored, { debug: true })).toEqual({ debug: true });
    expect(edited(stored, { transport: 'sse' })).toEqual({ transport: 'sse' });
    expect(edited(stored, { transport: undefined })).toEqual({ transport: 'auto' });
    expect(edited({ url: 'https://a', transport: 'sse' }, { transport: undefined })).toEqual({
      transport: undefined,
    });
    expect(toFormEntry({ type: 'sse', transport: 'auto', url: 'https://a' }).values).toEqual({
      url: 'https://a',
    });
  });

  it('removes fields that were emptied, and those of the other kind with their type', () => {
    const stored = { type: 'stdio', command: 'a', cwd: '/x', note: 'kept' };
    const form: ConfigFormEntry = { kind: 'http', values: { url: 'https://a.example' } };
    const { entry } = toEntryChange(form, stored);
    expect(Object.entries(entry)).toEqual([
      ['url', 'https://a.example'],
      ['command', undefined],
      ['cwd', undefined],
      ['type', undefined],
    ]);
    expect(edited({ command: 'a', cwd: '/x' }, { cwd: undefined })).toEqual({ cwd: undefined });
  });

  it('says which keys were renamed, under the name that the file uses', () => {
    const env = [{ key: 'NEW', value: '***REDACTED***', storedKey: 'OLD' }];
    const form: ConfigFormEntry = { kind: 'stdio', values: { command: 'a', env } };
    expect(toEntryChange(form, { command: 'a', environment: { OLD: '***REDACTED***' } })).toEqual({
      entry: { environment: { NEW: '***REDACTED***' } },
      renamedKeys: { environment: { NEW: 'OLD' } },
    });
  });

  it('maps the settings of a file by the same rules', () => {
    const { fields } = settingFields;
    const stored = { directTools: true, truncation: { maxChars: 5, more: 1 }, captureStats: {} };
    const form = toFormEntry(stored, fields);
    expect(form.values).toEqual({ directTools: 'true', 'truncation.maxChars': 5 });
    const values = { 'truncation.enabled': 'false', approveTools: ['a*'], toonEncode: 'true' };
    expect(toEntryChange({ ...form, values }, stored, fields).entry).toEqual({
      directTools: undefined,
      truncation: { enabled: false, more: 1 },
      approveTools: ['a*'],
      toonEncode: true,
    });
  });
});

describe('the forms', () => {
  const ids = (groups: readonly FormGroup[]) =>
    groups.flatMap(({ fields }) => fields.map(({ id }) => id));

  it('offer every field of an entry once', () => {
    const shown = ids(formModels().server);
    const own = configFields.filter(
      // what is said of single tools is for the file
      ({ role, shownBy, type }) => role !== 'foreign' && !shownBy && type !== 'named-objects',
    );
    const missing = own.filter(
      ({ name }) => !shown.some((id) => id === name || id.startsWith(`${name}.`)),
    );
    expect(missing).toEqual([]);
    expect(new Set(shown).size).toBe(shown.length);
    const showing = configFields.flatMap(({ shownBy }) => shownBy ?? []);
    expect(showing.filter((name) => !shown.includes(name))).toEqual([]);
    expect(formModels().server.map(({ id }) => id)).toEqual([
      'connection',
      'environment',
      'tools',
      'limits',
      'account',
    ]);
  });

  it('offer the transports that a remote server may have', () => {
    const fields = formModels().server.flatMap((group) => group.fields);
    const found = fields.find(({ id }) => id === 'transport');
    expect([found?.kind, found?.control]).toEqual(['http', 'choice']);
    const offered = found?.options?.map(({ value }) => value);
    expect(offered).toEqual(expect.arrayContaining(['', 'streamable-http', 'sse']));
  });

  it('offer the settings that count in a file', () => {
    const { settings, folderSettings } = formModels();
    const own = settingFields.fields.filter(({ role }) => role !== 'foreign');
    expect(
      own.filter(({ name }) => !ids(settings).some((id) => id.split('.')[0] === name)),
    ).toEqual([]);
    const guards = ids(settings).filter((id) => !ids(folderSettings).includes(id));
    expect(guards).toEqual(['approveTools', 'truncation.enabled', 'truncation.maxChars']);
  });

  it('name and explain every field', () => {
    for (const groups of Object.values<readonly FormGroup[]>({ ...formModels() })) {
      for (const { id, label, help } of groups.flatMap(({ fields }) => fields)) {
        expect(label, id).toMatch(/^[A-Z0-9]/);
        expect(help, id).toMatch(/^$|\.$/);
        // a form has choices and labels in their place
        expect(help, id).not.toMatch(/`(?:true|false|auto|lazy|command|url|env)`/);
      }
    }
  });
});

import { describe, expect, it } from 'vitest';
import { redactedSentinel } from '../../../../src/config/secrets/sentinel.js';
import { formModels } from '../../../../src/presentation/configPage/formModel.js';
import { type ConfigFormEntry, storedValue } from '../../../../src/protocol/configProtocol.js';
import { validateDraft } from '../../../../src/webview/config/draftProblems.js';
import {
  countSet,
  type FormDraft,
  fieldOf,
  fromEntry,
  isFormDraft,
  isSameDraft,
  lostDraftFields,
  newDraft,
  nextRowId,
  toEntry,
  withOffer,
  withoutDraftSecrets,
} from '../../../../src/webview/config/formDraft.js';

const groups = formModels().server;
type Values = ConfigFormEntry['values'];
const open = (kind: 'stdio' | 'http', values: Values): FormDraft =>
  fromEntry({ poolId: 'global', name: 'a', entry: { kind, values } });
const typed = (draft: FormDraft, texts: Readonly<Record<string, string>>): FormDraft => ({
  ...draft,
  fields: {
    ...draft.fields,
    ...Object.fromEntries(Object.entries(texts).map(([id, text]) => [id, { text, rows: [] }])),
  },
});
const codes = (draft: FormDraft) =>
  validateDraft(draft, groups).map(({ code, field }) => [code, field]);

describe('form draft', () => {
  it('uses the sentinel of the domain', () => {
    expect(storedValue).toBe(redactedSentinel);
  });

  it('keeps spaces and empty arguments, and drops empty names of tools', () => {
    const values = { command: 'npx', args: ['-y', '', ' two words '] };
    expect(toEntry(open('stdio', { ...values, includeTools: ['', ' a '] }), groups)).toEqual({
      kind: 'stdio',
      values: { ...values, includeTools: ['a'] },
    });
  });

  it('shows no stored value and keeps it when it is left alone', () => {
    const values = {
      url: 'https://example.com/mcp',
      headers: [{ key: 'Authorization', value: storedValue }],
      'oauth.clientSecret': storedValue,
    };
    const draft = open('http', values);
    expect(draft.fields.headers?.rows[0]?.value).toBe('');
    expect(draft.fields['oauth.clientSecret']).toEqual({ text: '', rows: [], stored: storedValue });
    expect(toEntry(draft, groups).values).toEqual(values);
  });

  it('shows no part of a secret that stands in a longer text, keeps it, replaces it and removes it', () => {
    const shown = `--key=${storedValue}`;
    const url = `https://a.example/mcp?key=${storedValue}`;
    const draft = open('stdio', { command: 'a', args: ['-y', shown], url });
    expect(Object.values(draft.fields).map(({ text }) => text)).not.toContain(url);
    expect(fieldOf(draft, { id: 'args' }).rows.map(({ value }) => value)).toEqual(['-y', '']);
    expect(toEntry(draft, groups).values.args).toEqual(['-y', shown]);
    const change = (rows: FormDraft['fields'][string]['rows']) => {
      const fields = { ...draft.fields, args: { text: '', rows } };
      return toEntry({ ...draft, fields }, groups).values.args;
    };
    const [first, second] = fieldOf(draft, { id: 'args' }).rows;
    expect(change([{ ...second, rowId: 1, key: '', value: '--key=new' }])).toEqual(['--key=new']);
    expect(change(first ? [first] : [])).toEqual(['-y']);
    const remote = { ...draft, kind: 'http' as const };
    expect(codes(remote)).toEqual([]);
    expect(toEntry(remote, groups).values.url).toBe(url);
    expect(toEntry(typed(remote, { url: 'https://b.example' }), groups).values.url).toBe(
      'https://b.example',
    );
  });

  it('takes an offered line apart, and keeps what was entered elsewhere', () => {
    const args = { text: '', rows: [{ rowId: 0, key: '', value: '--more' }] };
    const env = {
      text: '',
      rows: [
        { rowId: 0, key: 'A', value: 'old' },
        { rowId: 1, key: 'B', value: 'b' },
      ],
    };
    const typedDraft = typed(newDraft('global'), { command: 'A=new npx -y x' });
    const draft = { ...typedDraft, fields: { ...typedDraft.fields, args, env } };
    const values = { command: 'npx', args: ['-y', 'x'], env: [{ key: 'A', value: 'new' }] };
    const offer = { line: 'A=new npx -y x', name: 'x', entry: { kind: 'stdio', values } } as const;
    const split = withOffer(draft, offer);
    expect(split.name).toBe('x');
    expect(toEntry(split, groups).values).toEqual({
      command: 'npx',
      args: ['-y', 'x', '--more'],
      env: [
        { key: 'A', value: 'new' },
        { key: 'B', value: 'b' },
      ],
    });
    expect(new Set(fieldOf(split, { id: 'args' }).rows.map(({ rowId }) => rowId)).size).toBe(3);
    expect(withOffer({ ...draft, name: 'mine' }, offer).name).toBe('mine');
    const url = { kind: 'http', values: { url: 'https://a.example' } } as const;
    expect(toEntry(withOffer(draft, { ...offer, entry: url }), groups)).toEqual(url);
  });

  it('names the stored key of a renamed pair and replaces a value that was typed', () => {
    const rows = [
      { rowId: 0, key: 'NEW', value: '', storedKey: 'OLD' },
      { rowId: 1, key: 'TOKEN', value: 'typed', storedKey: 'TOKEN' },
    ];
    const draft = { ...open('stdio', { command: 'a' }), fields: { env: { text: '', rows } } };
    expect(toEntry(draft, groups).values.env).toEqual([
      { key: 'NEW', value: storedValue, storedKey: 'OLD' },
      { key: 'TOKEN', value: 'typed' },
    ]);
  });

  it('sends only the fields of the chosen kind', () => {
    const draft = { ...open('stdio', { command: 'npx', cwd: '/a' }), kind: 'http' as const };
    expect(toEntry(typed(draft, { url: ' https://a.example ' }), groups)).toEqual({
      kind: 'http',
      values: { url: 'https://a.example' },
    });
  });

  it('asks for what the kind needs', () => {
    expect(codes(newDraft('global'))).toEqual([['required', 'command']]);
    expect(codes(open('http', {}))).toEqual([['required', 'url']]);
  });

  it('refuses values without a name, names twice and numbers out of their range', () => {
    const pairs = (id: string, ...keys: readonly string[]) =>
      codes(
        open(id === 'env' ? 'stdio' : 'http', {
          command: 'b',
          url: 'c',
          [id]: keys.map((key) => ({ key, value: 'v' })),
        }),
      );
    expect(pairs('env', '')).toEqual([['key-missing', 'env']]);
    expect(pairs('env', 'A', 'A')).toEqual([['key-twice', 'env']]);
    expect(pairs('env', 'A', 'a')).toEqual([]);
    expect(pairs('headers', 'A', 'a')).toEqual([['key-twice', 'headers']]);
    const headers = ['X-Key', ' X-KEY '].map((key) => ({ key, value: 'v' }));
    expect(validateDraft(open('http', { url: 'c', headers }), groups)).toMatchObject([
      { message: '"X-KEY" is set twice.' },
    ]);
    const numbers = { requestTimeoutMs: 'soon', idleTimeout: '0', stopGraceMs: '20000' };
    expect(codes(typed(open('stdio', { command: 'b' }), numbers))).toEqual([
      ['not-a-number', 'requestTimeoutMs'],
      ['not-a-number', 'stopGraceMs'],
    ]);
  });

  it('counts the fields of a group that say something', () => {
    const draft = open('stdio', { command: 'b', debug: true, idleTimeout: 3 });
    const counts = groups.map((group) => [group.id, countSet(draft, group)]);
    expect(Object.fromEntries(counts)).toMatchObject({ limits: 2, tools: 0, account: 0 });
  });

  it('gives typed secrets up before it is kept on a disk, and says which', () => {
    const draft = typed(open('http', { url: 'a', env: [] }), { bearerToken: 'typed', url: 'b' });
    const kept = withoutDraftSecrets(draft, groups);
    expect(JSON.stringify(kept)).not.toContain('typed');
    expect(lostDraftFields(kept)).toEqual(['bearerToken']);
    expect(kept.fields.url?.text).toBe('b');
  });

  it('says that a value is gone that was to replace a stored one', () => {
    const env = [{ key: 'TOKEN', value: redactedSentinel }];
    const draft = open('stdio', { command: 'a', env });
    const rows = fieldOf(draft, { id: 'env' }).rows.map((row) => ({ ...row, value: 'typed' }));
    const changed = { ...draft, fields: { ...draft.fields, env: { text: '', rows } } };
    expect(lostDraftFields(withoutDraftSecrets(changed, groups))).toEqual(['env']);
    expect(lostDraftFields(withoutDraftSecrets(draft, groups))).toEqual([]);
  });

  it('keeps of its pairs what the file shows, and nothing that was typed or pasted', () => {
    const entry = {
      kind: 'stdio',
      values: {
        command: 'a',
        env: [
          { key: 'LEVEL', value: 'error' },
          { key: 'TOKEN', value: redactedSentinel },
        ],
      },
    } as const;
    const kept = (serverId?: string) => {
      const draft = fromEntry({
        poolId: 'global',
        name: 'a',
        entry,
        ...(serverId && { serverId }),
      });
      const rows = fieldOf(draft, { id: 'env' }).rows;
      const more = [...rows, { rowId: 9, key: 'NEW', value: 'typed' }];
      const changed = { ...draft, fields: { ...draft.fields, env: { text: '', rows: more } } };
      return fieldOf(withoutDraftSecrets(changed, groups), { id: 'env' }).rows.map(
        ({ value }) => value,
      );
    };
    expect(kept('global#a')).toEqual(['error', '', '']);
    expect(kept()).toEqual(['', '', '']);
  });

  it('is unchanged when a row was added and removed again', () => {
    const rowsOf = (rowId: number) => ({
      args: { text: '', rows: [{ rowId, key: '', value: 'a' }] },
    });
    const draft = { ...newDraft('global'), fields: rowsOf(0) };
    expect(isSameDraft(draft, { ...draft, fields: rowsOf(7) })).toBe(true);
    expect(isSameDraft(draft, { ...draft, fields: {} })).toBe(false);
    expect(nextRowId(rowsOf(0).args.rows)).toBe(1);
  });

  it('recognises a stored draft and nothing else', () => {
    expect(isFormDraft(JSON.parse(JSON.stringify(newDraft('global'))))).toBe(true);
    expect(isFormDraft({ ...newDraft('global'), fields: { args: 'x' } })).toBe(false);
    expect(isFormDraft(undefined)).toBe(false);
  });
});

import { describe, expect, it } from 'vitest';
import { redactedSentinel } from '../../../../src/config/secrets/sentinel.js';
import { storedValue } from '../../../../src/protocol/configProtocol.js';
import {
  type FormDraft,
  fromEntry,
  isFormDraft,
  isSameDraft,
  newDraft,
  nextRowId,
  toEntry,
  validateDraft,
} from '../../../../src/webview/config/formDraft.js';

const draftOf = (change: Partial<FormDraft>): FormDraft => ({ ...newDraft('global'), ...change });
const codes = (draft: FormDraft) => validateDraft(draft).map(({ code, field }) => [code, field]);

describe('form draft', () => {
  it('uses the sentinel of the domain', () => {
    expect(storedValue).toBe(redactedSentinel);
  });

  it('keeps spaces and empty arguments', () => {
    const entry = { kind: 'stdio', command: 'npx', args: ['-y', '', ' two words '] } as const;
    expect(toEntry(fromEntry({ poolId: 'global', name: 'a', entry }))).toEqual(entry);
  });

  it('shows no stored value and keeps it when it is left alone', () => {
    const entry = {
      kind: 'http',
      url: 'https://example.com/mcp',
      headers: [{ key: 'Authorization', value: storedValue }],
    } as const;
    const draft = fromEntry({ poolId: 'global', name: 'a', entry });
    expect(draft.headers[0]?.value).toBe('');
    expect(toEntry(draft)).toEqual(entry);
  });

  it('names the stored key of a renamed pair and replaces a value that was typed', () => {
    const env = [
      { rowId: 0, key: 'NEW', value: '', storedKey: 'OLD' },
      { rowId: 1, key: 'TOKEN', value: 'typed', storedKey: 'TOKEN' },
    ];
    expect(toEntry(draftOf({ command: 'a', env })).env).toEqual([
      { key: 'NEW', value: storedValue, storedKey: 'OLD' },
      { key: 'TOKEN', value: 'typed' },
    ]);
  });

  it('sends only the fields of the chosen kind', () => {
    const draft = draftOf({ kind: 'http', command: 'npx', cwd: '/a', url: ' https://a.example ' });
    expect(toEntry(draft)).toEqual({ kind: 'http', url: 'https://a.example' });
  });

  it('asks for a name and for what the kind needs', () => {
    expect(codes(newDraft('global'))).toEqual([
      ['required', 'name'],
      ['required', 'command'],
    ]);
    expect(codes(draftOf({ name: 'a', kind: 'http' }))).toEqual([['required', 'url']]);
  });

  it('refuses values without a name, names twice and numbers that are none', () => {
    const row = (rowId: number, key: string) => ({ rowId, key, value: 'v' });
    const valid = { name: 'a', command: 'b' };
    expect(codes(draftOf({ ...valid, env: [row(0, '')] }))).toEqual([['key-missing', 'env']]);
    expect(codes(draftOf({ ...valid, env: [row(0, 'A'), row(1, 'A')] }))).toEqual([
      ['key-twice', 'env'],
    ]);
    expect(codes(draftOf({ ...valid, env: [row(0, 'A'), row(1, 'a')] }))).toEqual([]);
    expect(codes(draftOf({ ...valid, requestTimeoutMs: 'soon', idleTimeout: '0' }))).toEqual([
      ['not-a-number', 'requestTimeoutMs'],
    ]);
  });

  it('is unchanged when a row was added and removed again', () => {
    const draft = draftOf({ args: [{ rowId: 0, value: 'a' }] });
    expect(isSameDraft(draft, { ...draft, args: [{ rowId: 7, value: 'a' }] })).toBe(true);
    expect(isSameDraft(draft, { ...draft, args: [] })).toBe(false);
    expect(nextRowId(draft.args)).toBe(1);
  });

  it('recognises a stored draft and nothing else', () => {
    expect(isFormDraft(JSON.parse(JSON.stringify(newDraft('global'))))).toBe(true);
    expect(isFormDraft({ ...newDraft('global'), args: 'x' })).toBe(false);
    expect(isFormDraft(undefined)).toBe(false);
  });
});

import { describe, expect, it } from 'vitest';
import {
  toEntryChange,
  toFormEntry,
} from '../../../../src/presentation/configPage/entryMapping.js';

describe('config entry mapping', () => {
  it('shows the fields of each kind', () => {
    expect(
      toFormEntry({ command: 'npx', args: ['-y'], env: { A: 'x' }, lifecycle: 'eager' }),
    ).toEqual({
      kind: 'stdio',
      command: 'npx',
      args: ['-y'],
      env: [{ key: 'A', value: 'x' }],
      lifecycle: 'eager',
    });
    expect(
      toFormEntry({ url: 'https://a.example', ignoreCertificateErrors: true, requestTimeoutMs: 5 }),
    ).toEqual({
      kind: 'http',
      url: 'https://a.example',
      ignoreCertificateErrors: true,
      requestTimeoutMs: 5,
    });
  });

  it('leaves out what has the wrong type', () => {
    expect(toFormEntry({ command: 7, args: 'x', lifecycle: 'now', idleTimeout: '1' })).toEqual({
      kind: 'stdio',
      args: ['x'],
    });
  });

  it('keeps aliases and a command that is an array', () => {
    const stored = { command: ['npx', '-y'], environment: { A: 'x' } };
    const form = toFormEntry(stored);
    expect(form).toEqual({
      kind: 'stdio',
      command: 'npx',
      args: ['-y'],
      env: [{ key: 'A', value: 'x' }],
    });
    expect(toEntryChange(form, stored).entry).toEqual(stored);
  });

  it('removes fields that were emptied, and those of the other kind with their type', () => {
    const stored = { type: 'stdio', command: 'a', cwd: '/x', note: 'kept' };
    const { entry } = toEntryChange({ kind: 'http', url: 'https://a.example' }, stored);
    expect(Object.entries(entry)).toEqual([
      ['command', undefined],
      ['cwd', undefined],
      ['url', 'https://a.example'],
      ['type', undefined],
    ]);
  });

  it('writes nothing that was not set', () => {
    expect(toEntryChange({ kind: 'stdio', command: 'a' })).toEqual({
      entry: { command: 'a' },
      renamedKeys: {},
    });
  });

  it('says which keys were renamed, under the name that the file uses', () => {
    const form = {
      kind: 'stdio',
      command: 'a',
      env: [{ key: 'NEW', value: '***REDACTED***', storedKey: 'OLD' }],
    } as const;
    expect(toEntryChange(form, { command: 'a', environment: { OLD: '***REDACTED***' } })).toEqual({
      entry: { command: 'a', environment: { NEW: '***REDACTED***' } },
      renamedKeys: { environment: { NEW: 'OLD' } },
    });
  });
});

import { describe, expect, it } from 'vitest';
import { redactEntry } from '../../../../src/config/secrets/redact.js';
import { restoreSecrets } from '../../../../src/config/secrets/secretMerge.js';

const hidden = '***REDACTED***';
const stored = {
  command: 'npx',
  args: ['--token', 'one', '--api-key=two', 'rest', '--token', 'three'],
  env: { A: 'a', B: 'b', C: 'c' },
  headers: { Authorization: 'Bearer x' },
  url: 'https://u:p@host/mcp?token=t&page=1',
  bearerToken: 'bt',
  oauth: { clientId: 'id', clientSecret: 'cs' },
  auth: { CLIENT_ID: 'id', CLIENT_SECRET: 'cursor', scopes: ['a'] },
  foreign: [{ password: 'of another client', open: 'o' }, 1],
};

describe('hidden values', () => {
  it('come back when nothing was touched', () => {
    expect(JSON.stringify(redactEntry(stored))).not.toMatch(/"(?:cs|cursor|of another client)"/);
    expect(restoreSecrets(redactEntry(stored), stored)).toEqual(stored);
  });

  it('come back into a list by their places, and are never written where items came or went', () => {
    const [first] = stored.foreign;
    const items = [{ password: hidden, open: 'new' }, 2];
    expect(restoreSecrets({ foreign: items }, stored)).toEqual({
      foreign: [{ ...Object(first), open: 'new' }, 2],
    });
    expect(() => restoreSecrets({ foreign: items.slice(0, 1) }, stored)).toThrow('"foreign"');
  });

  it('come back one by one beside new ones', () => {
    const edited = { env: { A: hidden, B: 'new', D: 'd' } };
    expect(restoreSecrets(edited, stored)).toEqual({ env: { A: 'a', B: 'new', D: 'd' } });
  });

  it('follow one renamed key, and several when their old names are told', () => {
    const one = { env: { A: hidden, B2: hidden, C: hidden } };
    expect(restoreSecrets(one, stored)).toEqual({ env: { A: 'a', B2: 'b', C: 'c' } });
    const swapped = { env: { B: hidden, A: hidden, X: hidden } };
    const renamedKeys = { env: { B: 'A', A: 'B', X: 'C' } };
    expect(restoreSecrets(swapped, stored, renamedKeys)).toEqual({
      env: { B: 'a', A: 'b', X: 'c' },
    });
  });

  it('follow arguments that moved', () => {
    const edited = { args: ['-y', '--api-key=***REDACTED***', '--token', hidden] };
    expect(restoreSecrets(edited, stored)).toEqual({
      args: ['-y', '--api-key=two', '--token', 'one'],
    });
  });

  it('come back into an address whose other parts changed', () => {
    const edited = { url: `https://${hidden}@host/other?page=2&token=${hidden}` };
    expect(restoreSecrets(edited, stored)).toEqual({
      url: 'https://u:p@host/other?page=2&token=t',
    });
  });

  it('are found under an alias of their field', () => {
    expect(restoreSecrets({ env: { A: hidden } }, { environment: { A: 'a' } })).toEqual({
      env: { A: 'a' },
    });
  });

  it.each([
    ['a new server', { env: { A: hidden } }, undefined],
    ['a new key', { env: { A: hidden, B: hidden, C: hidden, D: hidden } }, stored],
    ['two renamed keys', { env: { X: hidden, Y: hidden, C: hidden } }, stored],
    [
      'a new argument',
      { args: ['--token', hidden, '--other-token', hidden, '--pwd', hidden, hidden] },
      stored,
    ],
    ['a field that was not stored', { headers: { H: hidden } }, { env: {} }],
    ['a prototype key', { env: { constructor: hidden } }, { env: { A: 'a', B: 'b' } }],
  ])('are never written where nothing is stored: %s', (_label, edited, from) => {
    expect(() => restoreSecrets(edited, from)).toThrow(
      expect.objectContaining({ code: 'secret_unknown' }),
    );
  });
});

import { describe, expect, it } from 'vitest';
import { describeValue, type ValueContext } from '../../../../src/config/language/describeValue.js';
import { fakeFolder } from '../../../helpers/fakes/fakeMcp.js';

const variables: Readonly<Record<string, string>> = {
  TOKEN: 'top secret',
  PLAIN: 'plain',
  ODD: 'ghp_0123456789abcdefghijklmnop',
  DATABASE_URL: 'postgres://app:pw@db/app',
  OPENAI_KEY: 'plain',
};

function context(change: Partial<ValueContext> = {}): ValueContext {
  return {
    place: ['args', 0],
    environment: {
      platform: 'linux',
      homeDir: '/home/user',
      getVariable: (name) => variables[name],
      allVariables: () => variables,
      loginShellPath: async () => '',
    },
    folder: fakeFolder('api'),
    mayResolve: true,
    storedInputs: new Set(['stored']),
    ...change,
  };
}

function resolved(value: string, change?: Partial<ValueContext>): string | undefined {
  return describeValue(value, context(change))?.resolved;
}

describe('describeValue', () => {
  it('says nothing about plain text', () => {
    expect(describeValue('a $ {b}', context())).toBeUndefined();
  });

  it.each([
    ['${workspaceFolder}/x', '/work/api/x'],
    ['${userHome}/${PLAIN}', '/home/user/plain'],
    ['${MISSING:-${PLAIN}}', 'plain'],
    ['${MISSING}', undefined],
    ['a-${TOKEN}', 'a-***REDACTED***'],
    ['${ODD}', '***REDACTED***'],
    ['${OPENAI_KEY}', '***REDACTED***'],
    ['${DATABASE_URL}', 'postgres://app:***REDACTED***@db/app'],
    ['${input:stored}', '***REDACTED***'],
    ['${input:other}', undefined],
    ['${other:thing}', undefined],
  ])('puts %s together as %s', (value, expected) => {
    expect(resolved(value)).toBe(expected);
  });

  it.each([
    ['https://u:${PLAIN}@h/${PLAIN}', 'https://u:***REDACTED***@h/plain'],
    ['https://${PLAIN}@h', 'https://plain@h'],
    ['https://${ODD}@h', 'https://***REDACTED***@h'],
    ['https://u:p${PLAIN}w${MISSING:-x}@h', 'https://u:***REDACTED***@h'],
    ['https://h/?token=${PLAIN}&q=${PLAIN}', 'https://h/?token=***REDACTED***&q=plain'],
    ['--token=${PLAIN}', '--token=***REDACTED***'],
    ['Server=${PLAIN};Password=${PLAIN}', 'Server=plain;Password=***REDACTED***'],
    ['\uE0000\uE000${PLAIN}', '\uE0000\uE000plain'],
    ['${PLAIN}${PLAIN}', 'plainplain'],
  ])('hides what stands for a secret in %s', (value, expected) => {
    expect(resolved(value, { place: ['url'] })).toBe(expected);
  });

  it('hides what stands behind a flag for a secret', () => {
    expect(resolved('${PLAIN}', { previous: '--token' })).toBe('***REDACTED***');
    expect(resolved('${PLAIN}', { previous: '--directory' })).toBe('plain');
  });

  it.each([
    [['headers', 'X-Any'], 'plain'],
    [['headers', 'X-Key'], '***REDACTED***'],
    [['env', 'API_KEY'], '***REDACTED***'],
    [['environment', 'API_KEY'], '***REDACTED***'],
    [['bearerToken'], '***REDACTED***'],
    [['env', 'LOG_DIR'], 'plain'],
    [['cwd'], 'plain'],
  ])('hides by its place %j what may be a secret', (place, expected) => {
    expect(resolved('${PLAIN}', { place })).toBe(expected);
  });

  it('shows names only before the server may run', () => {
    const description = describeValue('${PLAIN}-${GONE}', context({ mayResolve: false }));
    expect(description).toEqual({
      resolved: undefined,
      facts: ['Environment variable PLAIN: set', 'The environment variable GONE is not set.'],
    });
  });

  it('does not run a command', () => {
    expect(describeValue('!print-secret', context({ place: ['env', 'A'] }))).toEqual({
      resolved: undefined,
      facts: ['A command prints the value when the server starts.'],
    });
    expect(describeValue('!print-secret', context())).toBeUndefined();
  });
});

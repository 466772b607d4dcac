import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import {
  commandLineOf,
  curlOf,
  secretVariables,
} from '../../../../src/presentation/runTool/copiedCall.js';
import { RunHistory } from '../../../../src/presentation/runTool/runHistory.js';
import { argumentsParam, runParams } from '../../../../src/presentation/runTool/runParams.js';
import {
  hideSecrets,
  withoutSecrets,
} from '../../../../src/presentation/runTool/withoutSecrets.js';
import { FakeKept } from '../../../helpers/fakes/fakeKept.js';

const printLast = 'process.stdout.write(process.argv.at(-1))';

const tool = { serverId: 'folder#a', tool: 'go', schema: { type: 'object' } };
const run = { at: '2026-11-22T10:00:00Z', end: 'done', ms: 3 } as const;

describe('the history of a tool', () => {
  it('holds the last fifty runs of each tool, newest first', async () => {
    const storage = new FakeKept();
    const history = new RunHistory(storage);
    for (let n = 0; n < 60; n++) {
      await history.add(tool, run, { n });
    }
    await history.add({ ...tool, serverId: 'other#a' }, run, { n: 'other' });
    const kept = new RunHistory(storage).of(tool);
    expect(kept).toHaveLength(50);
    expect(kept[0]).toMatchObject({ args: { n: 59 }, end: 'done', ms: 3, lacksSecrets: false });
    expect(new Set(kept.map(({ id }) => id)).size).toBe(50);
    await history.forget(tool);
    expect(history.of(tool)).toEqual([]);
    expect(history.of({ ...tool, serverId: 'other#a' })).toHaveLength(1);
  });

  it('keeps no arguments that are very long, and reads nothing that is damaged', async () => {
    const storage = new FakeKept();
    const history = new RunHistory(storage);
    await history.add(tool, run, { text: 'x'.repeat(30_000) });
    expect(history.of(tool)[0]?.args).toBeUndefined();
    storage.value = [7, { serverId: 'folder#a', tool: 'go', runs: [1, {}] }];
    expect(history.of(tool)).toEqual([]);
  });
});

describe('what is kept of arguments', () => {
  const schema = {
    properties: {
      path: { type: 'string' },
      login: { properties: { pin: { type: 'string', format: 'password' } } },
      list: { type: 'array', items: { type: 'string', writeOnly: true } },
      way: {
        oneOf: [
          { properties: { pin: { type: 'string', writeOnly: true } }, required: ['pin'] },
          { properties: { id: { type: 'number' } }, required: ['id'] },
        ],
      },
    },
  };

  it.each([
    ['by their name', { apiKey: 'CANARY', env: { GITHUB_TOKEN: 'CANARY', password: 'CANARY' } }],
    ['by their mark', { login: { pin: 'CANARY' } }],
    ['in a list', { list: ['CANARY'] }],
    ['in a variant', { way: { pin: 'CANARY' } }],
    ['by their shape', { note: 'ghp_CANARYaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' }],
  ])('has no secrets that are known %s', (_how, secret) => {
    const kept = withoutSecrets(schema, { path: 'a', ...secret });
    expect(JSON.stringify(kept)).not.toContain('CANARY');
    expect(kept).toMatchObject({ args: { path: 'a' }, lacksSecrets: true });
  });

  it('is everything else', () => {
    const args = { path: 'a', way: { id: 3 }, more: [{ a: null }], login: {} };
    expect(withoutSecrets(schema, args)).toEqual({ args, lacksSecrets: false });
  });
});

describe('a call as a command line', () => {
  const call = { server: "it's", tool: 'go', args: { a: "'; rm -rf $HOME `x`" }, folder: '/w/a b' };

  it('is quoted for the shell', () => {
    expect(commandLineOf(call, 'posix')).toBe(
      `pi-mcp call --folder '/w/a b' 'it'\\''s' go '{"a":"'\\''; rm -rf $HOME \`x\`"}'`,
    );
    expect(commandLineOf({ ...call, folder: undefined }, 'windows')).toBe(
      `pi-mcp call 'it''s' go '{"a":"\\u0027; rm -rf \\u0024HOME \\u0060x\\u0060"}'`,
    );
  });
});

describe('a copied call with secrets', () => {
  const schema = {
    properties: { user: { type: 'string' }, pin: { type: 'integer', format: 'password' } },
  };
  const typed = {
    user: "it's me",
    pin: 4711,
    apiKey: 'CANARY-key-1',
    more: { password: 'CANARY two', list: ['ghp_CANARYaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'] },
    empty: { token: '' },
  };
  const { args, hidden } = hideSecrets(schema, typed);
  const call = { server: 'a', tool: 'go', args, hidden, folder: undefined };
  const values = {
    PI_MCP_PIN: '4711',
    PI_MCP_APIKEY: 'CANARY-key-1',
    PI_MCP_PASSWORD: 'CANARY two',
    PI_MCP_LIST: 'ghp_CANARYaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
  };

  it('has words in their places, and says which', () => {
    expect(args).toEqual({
      user: "it's me",
      pin: '‹hidden 1›',
      apiKey: '‹hidden 2›',
      more: { password: '‹hidden 3›', list: ['‹hidden 4›'] },
      empty: { token: '' },
    });
    expect(hidden.map(({ name }) => name)).toEqual(['pin', 'apiKey', 'password', 'list']);
    expect(secretVariables(hidden)).toEqual(Object.keys(values));
    const same = [...hidden.slice(1, 2), ...hidden.slice(1, 2)];
    expect(secretVariables(same)).toEqual(['PI_MCP_APIKEY', 'PI_MCP_APIKEY_2']);
  });

  it.each(['commandLineOf', 'curlOf'] as const)('has none as %s writes it', (form) => {
    for (const kind of ['posix', 'windows'] as const) {
      const text = { commandLineOf, curlOf }[form](call, kind);
      expect(text).not.toMatch(/CANARY|4711|hidden/);
      expect(text).toContain(kind === 'windows' ? 'env:PI_MCP_PIN}' : '"${PI_MCP_PIN:?}"');
    }
  });

  it.skipIf(process.platform === 'win32')('is whole again for a shell that has them', async () => {
    const line = commandLineOf(call, 'posix').replace('pi-mcp', `"$NODE" -e '${printLast}' --`);
    const env = { ...process.env, ...values, NODE: process.execPath };
    const { stdout } = await promisify(execFile)('sh', ['-c', line], { env });
    expect(JSON.parse(stdout)).toEqual(typed);
    const without = promisify(execFile)('sh', ['-c', line], { env: { NODE: process.execPath } });
    await expect(without).rejects.toThrow(/PI_MCP_PIN/);
  });
});

describe('what a page sends', () => {
  it('is refused when it is nothing that can be sent', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 300; level++) {
      deep = { deep };
    }
    expect(() => argumentsParam({ args: deep })).toThrow('must be an object');
    expect(() => runParams({ args: [] })).toThrow('must be an object');
    expect(() => runParams({ args: {}, timeoutMs: 0 })).toThrow('must be milliseconds');
    expect(() => runParams({ args: {}, meta: 'x' })).toThrow('must be an object');
  });

  it('loses a token that progress would be lost under', () => {
    expect(runParams({ args: { a: 1 }, meta: { progressToken: 1, x: 2 }, timeoutMs: 5 })).toEqual({
      args: { a: 1 },
      meta: { x: 2 },
      timeoutMs: 5,
    });
  });
});

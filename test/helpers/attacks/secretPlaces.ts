/** Every place of an entry where people write secrets, each with a canary of its own. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { repository } from '../../workbench/paths.mjs';

interface SecretPlace {
  readonly what: string;
  readonly canary: string;
  /** An entry that holds the canary in this place and nowhere else. */
  readonly entry: object;
}

let drawn = 0;

/** The same in every run, since a draw may look like anything. */
function digest(encoding: 'hex' | 'base64'): string {
  drawn++;
  return createHash('sha512').update(`place ${drawn}`).digest(encoding);
}

/** As services draw their keys, with a letter, a capital and a digit in it. */
function key(length = 32): string {
  const letters = digest('base64').replace(/[^A-Za-z0-9]/g, '');
  return `k${letters.slice(0, length - 3)}Z7`;
}

function uuid(): string {
  const parts = /^(.{8})(.{4})(.{4})(.{4})(.{12})/.exec(digest('hex')) ?? [];
  return parts.slice(1).join('-');
}

/** Nothing but a name tells it from a word. */
function password(): string {
  return `${key(9)}#`;
}

const script = join(repository, 'test/fixtures/servers/leaky.mjs');

function processEntry(args: readonly string[], env: object = {}): object {
  return {
    command: process.execPath,
    args: [script, '--exit', ...args],
    env: { LOG_LEVEL: 'visible-level', ...env },
  };
}

function shellEntry(line: string): object {
  return { command: 'sh', args: ['-c', line] };
}

/** @param url of a server that repeats what it is sent. */
type Build = (canary: string, url: (path: string) => string) => object;
type Drawn = readonly [what: string, canary: string, build: Build];

const ofProcesses: readonly Drawn[] = [
  ['an argument alone', key(), (c) => processEntry([c])],
  ['a token of Supabase', `sbp_${digest('hex').slice(0, 40)}`, (c) => processEntry([c])],
  ['--key', uuid(), (c) => processEntry(['--key', c])],
  ['--api-key', password(), (c) => processEntry(['--api-key', c])],
  ['--api-key=', password(), (c) => processEntry([`--api-key=${c}`])],
  ['-k', key(12), (c) => processEntry(['-k', c])],
  ['-e API_KEY=', password(), (c) => processEntry(['-e', `API_KEY=${c}`])],
  ['--header', password(), (c) => processEntry(['--header', `Authorization: Bearer ${c}`])],
  ['--user', password(), (c) => processEntry(['--user', `visible:${c}`])],
  ['JSON', password(), (c) => processEntry(['--config', JSON.stringify({ a: { apiKey: c } })])],
  ['a list in JSON', password(), (c) => processEntry([JSON.stringify(['--api-key', c])])],
  [
    'a connection string',
    password(),
    (c) => processEntry([`Server=visible;User Id=sa;Password=${c};Timeout=3`]),
  ],
  ['the path of an address', key(24), (c) => processEntry([`https://h.example/s/${c}/mcp`])],
  [
    'a flag in a shell',
    password(),
    (c) => shellEntry(`echo visible >&2 --api-key ${c} --level info`),
  ],
  ['a variable in a shell', password(), (c) => shellEntry(`API_KEY=${c} sh -c 'echo visible >&2'`)],
  ['a variable', password(), (c) => processEntry([], { API_KEY: c, SECRET: c })],
  ['a token in a variable', `ghp_${key(36)}`, (c) => processEntry([], { ANY: c, SECRET: c })],
  ['a long variable', digest('base64').slice(0, 44), (c) => processEntry([], { ANY: c })],
  ['a default', password(), (c) => processEntry([], { SECRET: `\${NOT_SET_KEY:-${c}}` })],
  [
    'the password of a database',
    key(10),
    (c) => processEntry([], { DB: `pg://visible:${c}@h/db` }),
  ],
];

const ofAddresses: readonly Drawn[] = [
  ['a header', password(), (c, url) => ({ url: url('visible'), headers: { 'X-Api-Key': c } })],
  [
    'Basic',
    password(),
    (c, url) => {
      const Authorization = `Basic ${Buffer.from(`visible:${c}`).toString('base64')}`;
      return { url: url('visible'), headers: { Authorization } };
    },
  ],
  ['bearerToken', password(), (c, url) => ({ url: url('visible'), bearerToken: c })],
  [
    'a client of OAuth',
    password(),
    (c, url) => ({ url: url('visible'), oauth: { clientId: 'visible', clientSecret: c } }),
  ],
  ['a query', key(9), (c, url) => ({ url: url(`visible?token=${c}&page=2`) })],
  ['a parameter of a path', key(9), (c, url) => ({ url: url(`visible;token=${c}`) })],
  ['a path', key(24), (c, url) => ({ url: url(`visible/${c}/mcp`) })],
  ['a path where nobody is', key(24), (c) => ({ url: `http://127.0.0.1:1/visible/${c}` })],
  ['a password', key(9), (c) => ({ url: `http://visible:${c}@127.0.0.1:1/` })],
  ['a token as a user', `ghp_${key(36)}`, (c) => ({ url: `http://${c}@127.0.0.1:1/` })],
];

/** @param url of a server that repeats what it is sent. */
export function secretPlaces(url: (path: string) => string): readonly SecretPlace[] {
  return [...ofProcesses, ...ofAddresses].map(([what, canary, build]) => ({
    what,
    canary,
    entry: { ...build(canary, url), startupTimeoutMs: 5000 },
  }));
}

import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nameInWindow } from '../../../src/config/nameInWindow.js';
import { fakeDefinition, fakeFolder } from '../../helpers/fakes/fakeMcp.js';

const api = fakeFolder('api');
const web = fakeFolder('web');
const otherApi = { ...api, uri: 'file:///elsewhere/api', fsPath: '/elsewhere/api' };

describe('the name of a server in a question', () => {
  it.each([
    ['of the only folder', api, [api], 'db'],
    ['of one of two folders', api, [api, web], 'db (folder api)'],
    ['of the other one', web, [api, web], 'db (folder web)'],
    [
      'of a folder with the name of another one',
      otherApi,
      [api, otherApi],
      'db (folder /elsewhere/api)',
    ],
    ['of the user, beside one folder', undefined, [api], 'db'],
    ['of the user, beside two', undefined, [api, web], 'db (User)'],
    ['of the user, without a folder', undefined, [], 'db'],
  ])('%s', (_what, folder, folders, expected) => {
    expect(nameInWindow(fakeDefinition('db', folder ? { folder } : {}), folders)).toBe(expected);
  });
});

const source = resolve(import.meta.dirname, '../../../src/vscode');

/** Argument of each text of an MCP server that ends with its name, by file. */
function namedIn(file: string): readonly string[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/l10n\.t\(\s*(['"])([^'"\n]*?MCP server[^'"\n]*\{(\d)\})\1/gi)].map(
    (found) => {
      const rest = text.slice((found.index ?? 0) + found[0].length);
      return topLevelArguments(rest)[Number(found[3])] ?? '';
    },
  );
}

/** Of the rest of a call, behind its first argument. */
function topLevelArguments(rest: string): readonly string[] {
  let depth = 0;
  const found = [''];
  for (const letter of rest.replace(/^\s*,/, '')) {
    if (letter === '(') {
      depth++;
    } else if (letter === ')' && depth-- === 0) {
      break;
    } else if (letter === ',' && depth === 0) {
      found.push('');
      continue;
    }
    found.push(`${found.pop()}${letter}`);
  }
  return found.map((argument) => argument.trim());
}

it('lets no name of a server end the sentence around it', () => {
  const definition = fakeDefinition('a" is safe. "b\u202e', { folder: api });
  expect(nameInWindow(definition, [api, web])).toBe(
    'a\\u0022 is safe. \\u0022b\\u202e (folder api)',
  );
});

describe('every question and notice of the editor', () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(source, file));
  const all = files.flatMap((file) =>
    namedIn(file).map((argument) => `${file.slice(source.length + 1)}: ${argument}`),
  );

  it('names servers by that function', () => {
    // the rest of these files gets its names from it, from a request that was made with it, or tells a path as well
    const made = [
      "commands/configuration/addReviewed.ts: names.map(nameToken).join(', ')",
      'commands/configuration/transferCommands.ts: nameToken(name)',
      'commands/serverCommands.ts: name',
      'prompts/authorizationPrompter.ts: name(request.serverName)',
      'prompts/authorizationPrompter.ts: name(serverName)',
      'questions/questionQueue.ts: name',
    ];
    const plain = all.filter((use) => !/: serverName\(/.test(use));
    expect([...new Set(plain)].sort()).toEqual(made);
  });

  it('is looked for where they are', () => {
    expect(all.length).toBeGreaterThan(15);
  });
});

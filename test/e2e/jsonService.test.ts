/** What VS Code's own JSON support makes of the schema: completion, hovers, and the errors that it marks. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { JsonService } from '../helpers/e2e/jsonService.js';

const service = new JsonService();
beforeAll(() => service.start());
afterAll(() => service.stop());

/** An entry with a bar where something is completed. */
const inEntry = (text: string) => `{"mcpServers": {"a": {${text}}}}`;

async function labels(text: string): Promise<readonly string[]> {
  return (await service.suggest(inEntry(text))).map(({ label }) => label);
}

describe('completion in an entry', () => {
  it('offers both ways to a server while there is none', async () => {
    const offered = await labels('|');
    expect(offered).toEqual(expect.arrayContaining(['command', 'url', 'args', 'headers']));
  });

  it.each([
    ['"url": "https://a",|', ['headers', 'oauth', 'lifecycle'], ['command', 'args', 'env', 'cwd']],
    ['"serverUrl": "https://a",|', ['headers'], ['url', 'command', 'args', 'stopGraceMs']],
    ['"command": "x",|', ['args', 'env', 'cwd', 'lifecycle'], ['url', 'headers', 'oauth', 'auth']],
    ['"command": "x", "args": [],|', ['env'], ['args', 'command']],
    ['"command": "x", "environment": {},|', ['args'], ['env']],
    ['"command": "x", "enabled": true,|', ['args'], ['enabled', 'disabled']],
    ['"url": "https://a", "bearerToken": "x",|', ['headers'], ['bearerTokenEnv', 'oauth']],
    ['"url": "https://a", "type": "http",|', ['headers'], ['transport', 'type']],
  ])('beside %s', async (text, fitting, others) => {
    const offered = await labels(text);
    expect(offered).toEqual(expect.arrayContaining(fitting));
    expect(offered.filter((label) => others.includes(label))).toEqual([]);
  });

  it.each([
    ['"lifecycle": |', ['"lazy"', '"eager"', '"keep-alive"', '"lazy-keep-alive"']],
    ['"exposure": |', ['"auto"', '"direct"', '"search"', '"proxy"', '"hidden"']],
    ['"toolPrefix": |', ['"server"', '"short"', '"none"', '"mcp"']],
  ])('offers the values of %s', async (text, expected) => {
    expect(await labels(`"command": "x", ${text}`)).toEqual(expected);
  });

  it.each([
    ['"command": "x",|', 'args', '"args": ["$1"]'],
    ['"command": "x",|', 'env', '"env": {"${1:NAME}": "$2"}'],
    ['"command": "x",|', 'cwd', '"cwd": "${1:\\${workspaceFolder\\}}"'],
    ['|', 'url', '"url": "${1:https://example.com/mcp}"'],
    ['"url": "https://a",|', 'headers', '"headers": {"${1:NAME}": "$2"}'],
  ])('beside %s inserts %s ready to be filled in', async (text, name, inserted) => {
    expect(await service.suggest(inEntry(text))).toContainEqual({ label: name, inserted });
  });
});

describe('the hover', () => {
  it('is of the same field, whether it fits or not', async () => {
    for (const entry of ['"command": "x", "ar|gs": []', '"url": "https://a", "ar|gs": []']) {
      expect(await service.hover(inEntry(entry))).toContain('Arguments');
    }
  });
});

describe('errors', () => {
  // the editor leaves syntax errors to VS Code where it marks an error: no other may be among them
  it.each([
    ['{"mcpServers": {"a": {"command": "x" "args": []}}}', ['json: Expected comma']],
    ['{"mcpServers": {"a": {"url": 3, "lifecycle": "often", "command": []}}}', []],
    ['{"mcpServers": {"a": {"command": "x"}, "a": {"command": "y"}}}', []],
    ['{\n// a comment\n"mcpServers": {"a": {"command": "x",},}}', []],
  ])('of %s', async (text, expected) => {
    expect(await service.errors(text)).toEqual(expected);
  });
});

/** What cannot be read, or not as anything sensible, must not take the servers of others along. */
import { expect } from 'vitest';
import { attackGroup } from '../helpers/attacks/attackGroup.js';
import { type FileTree, Link, Pipe, Sparse } from '../helpers/attacks/fileTree.js';
import type { Scene } from '../helpers/attacks/scene.js';
import { find } from '../helpers/coreHarness.js';

const good = { command: 'true' };

/** Another folder shows up with its server, and the user's own server is there: everything was read again. */
async function othersAreThere({ core, service }: Scene): Promise<void> {
  await core.addFolder('innocent', { innocent: good });
  await core.writeGlobal({ mine: good, another: good });
  await service.reload();
  expect(
    ['innocent', 'mine', 'another'].map((name) => find(service, name).definition.name),
  ).toEqual(['innocent', 'mine', 'another']);
}

const everyFile = (content: FileTree[string]): FileTree => ({
  '.mcp.json': content,
  '.pi/mcp.json': content,
  '.pilot/mcp.json': content,
  '.pi/settings.json': content,
  '.gitignore': content,
  '.git/info/exclude': content,
  'package.json': content,
  'AGENTS.md': content,
});

const cases: Readonly<Record<string, FileTree>> = {
  'a name with half a character': {
    '.mcp.json': '{"mcpServers": {"\\ud800a": {"command": "true"}}}',
    '.pi/mcp.json': '{"mcpServers": {"\\udc00": {"url": "http://127.0.0.1:9/\\ud800"}}}',
  },
  'values with half a character': {
    '.mcp.json':
      '{"mcpServers": {"a": {"command": "\\ud800", "args": ["\\udfff"], "env": {"\\ud800": "\\ud800"}}}}',
  },
  'names of JavaScript objects': {
    '.mcp.json':
      '{"mcpServers": {"__proto__": {"command": "true"}, "constructor": {"command": "true"}, "toString": null}}',
  },
  'a link to an endless device': everyFile(new Link('/dev/zero')),
  'a link to a terminal': everyFile(new Link('/dev/tty')),
  'a pipe that nobody writes to': everyFile(new Pipe()),
  'ten gigabytes of nothing': everyFile(new Sparse(10 * 1024 ** 3)),
  'a link to the folder itself': everyFile(new Link('.')),
  'a link to itself': { '.mcp.json': new Link('.mcp.json') },
  'a hundred thousand levels': everyFile('['.repeat(100_000)),
  'a hundred thousand levels inside of an entry': {
    '.mcp.json': `{"mcpServers": {"a": {"command": "true", "oauth": ${'{"a":'.repeat(100_000)}`,
  },
  'values at which slow parsers stop': {
    '.mcp.json': {
      mcpServers: {
        a: {
          command: `;${' '.repeat(50_000)}x`,
          args: ['${'.repeat(30_000), 'a='.repeat(30_000), 'eyJ-'.repeat(15_000)],
          env: { A: `\${A:-${'${A:-'.repeat(10_000)}` },
        },
        b: { url: `https://h/${'?a'.repeat(30_000)}` },
      },
    },
  },
  'ten thousand servers': {
    '.mcp.json': {
      mcpServers: Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`s${at}`, {}])),
    },
  },
  'nothing but null bytes': everyFile(new Uint8Array(100_000)),
};

attackGroup('files that cannot be read', {
  control: {
    what: 'files that can be read',
    files: ({ ran }) => ({ '.mcp.json': { mcpServers: { a: ran.launch('a') } } }),
    act: async (scene) => {
      await othersAreThere(scene);
      await scene.tryEverything();
    },
    runs: ['a'],
  },
  attacks: Object.entries(cases).map(([what, files]) => ({
    what,
    files: () => files,
    proves: othersAreThere,
  })),
});

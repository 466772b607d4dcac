import { describe, expect, it } from 'vitest';
import type { McpServerDefinition } from '../../../../src/config/definition.js';
import {
  editorDiscoveries,
  hasToolOf,
  wouldEditorStart,
} from '../../../../src/mcp/otherClients/prediction.js';
import { fakeDefinition, fakeFolder } from '../../../helpers/fakes/fakeMcp.js';

const environment = {
  homeDir: '/home/user',
  platform: 'linux' as const,
  getVariable: () => undefined,
};
const folder = fakeFolder('api');
const rules = { startsFiles: true, discoveries: new Set([]), isWorkspaceTrusted: true };
const origins = {
  '.mcp.json': { layer: 'project', path: '/work/api/.mcp.json' },
  '.vscode/mcp.json': { layer: 'import', path: '/work/api/.vscode/mcp.json' },
  '.pi/mcp.json': { layer: 'pi-project', path: '/work/api/.pi/mcp.json' },
  "the user's own for the folder": { layer: 'local', path: '/home/user/.pi/x/mcp.json' },
  'another folder': { layer: 'project', path: '/work/other/.mcp.json' },
  "Cursor's of the folder": { layer: 'import', path: '/work/api/.cursor/mcp.json' },
} as const;

function inFile(origin: keyof typeof origins, change: Partial<McpServerDefinition> = {}) {
  return fakeDefinition('files', { folder, change: { origin: origins[origin], ...change } });
}

function ofUser(path: string) {
  return fakeDefinition('files', { change: { origin: { layer: 'import', path } } });
}

describe('VS Code’s own client', () => {
  it.each([
    ['.mcp.json', true],
    ['.vscode/mcp.json', true],
    ['.pi/mcp.json', false],
    ["the user's own for the folder", false],
    ['another folder', false],
    ["Cursor's of the folder", false],
  ] as const)('starts an entry of %s: %s', (origin, expected) => {
    expect(wouldEditorStart(inFile(origin), rules, environment)).toBe(expected);
  });

  it('starts what a file of ours hides', () => {
    const definition = inFile("the user's own for the folder", { hides: [origins['.mcp.json']] });
    expect(wouldEditorStart(definition, rules, environment)).toBe(true);
  });

  it.each([
    ['its access is none or registry, or AI is switched off', { startsFiles: false }],
    ['the workspace is not trusted', { isWorkspaceTrusted: false }],
  ])('starts nothing where %s', (_what, change) => {
    const changed = { ...rules, ...change };
    expect(wouldEditorStart(inFile('.mcp.json'), changed, environment)).toBe(false);
  });

  it('starts no entry that is broken', () => {
    const definition = inFile('.mcp.json', { launch: undefined });
    expect(wouldEditorStart(definition, rules, environment)).toBe(false);
  });

  it('starts what the user has it find in files of other programs, and no more', () => {
    const places = {
      'claude-desktop': ofUser('/home/user/.config/Claude/claude_desktop_config.json'),
      copilot: ofUser('/home/user/.copilot/mcp-config.json'),
      windsurf: ofUser('/home/user/.codeium/windsurf/mcp_config.json'),
      'cursor-global': ofUser('/home/user/.cursor/mcp.json'),
      'cursor-workspace': inFile("Cursor's of the folder"),
    };
    for (const enabled of editorDiscoveries) {
      const found = editorDiscoveries.filter((one) =>
        wouldEditorStart(places[one], { ...rules, discoveries: new Set([enabled]) }, environment),
      );
      expect(found).toEqual([enabled]);
    }
  });
});

describe('tools that VS Code offers', () => {
  const server = { labels: ['My Files!'], tools: ['list', 'read.it'] };

  it.each([
    ['mcp_my_files__list', true],
    ['mcp_my_files_2_list', true],
    ['mcp_my_files__read_it', true],
    ['mcp_my_files__other', false],
    ['mcp_files_list', false],
    // what we hand over is no copy
    ['mcp_my_files_pi_list', false],
    ['list', false],
  ])('show that it has started the server: %s %s', (name, expected) => {
    expect(hasToolOf(server, [name])).toBe(expected);
  });

  it('have no more than 18 characters in front of their own name', () => {
    const long = { labels: ['a-very-long-name-of-a-server'], tools: ['list'] };
    expect(hasToolOf(long, ['mcp_a-very-long-n_list'])).toBe(true);
    expect(hasToolOf(long, ['mcp_a-very-long-2_list'])).toBe(true);
    expect(hasToolOf(long, ['mcp_a-very-long-name-of-a-server_list'])).toBe(false);
  });

  it('are named by what the server calls itself, as VS Code 1.139 does', () => {
    const files = { labels: ['files', 'secure-filesystem-server'], tools: ['read_file'] };
    expect(hasToolOf(files, ['mcp_secure-filesy_read_file'])).toBe(true);
    // by way of the gateway
    expect(hasToolOf(files, ['mcp_pi_mcp_files_read_file'])).toBe(false);
    const dotted = { labels: ['io.github'], tools: ['t'.repeat(100)] };
    expect(hasToolOf(dotted, [`mcp_io_github_${'t'.repeat(50)}`])).toBe(true);
  });

  it('say nothing about a server whose tools are not known', () => {
    expect(hasToolOf({ labels: ['files'], tools: [] }, ['mcp_files_list'])).toBe(false);
  });
});

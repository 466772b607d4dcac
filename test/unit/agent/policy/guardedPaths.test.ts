import { expect, it } from 'vitest';
import { changesStarts, startedBy } from '../../../../src/agent/policy/guardedPaths.js';

it.each([
  ['.git/hooks/pre-commit', 'git'],
  ['.git/config', 'git'],
  ['a/b/.git', 'git'],
  ['.GIT/config', 'git'],
  ['.g\u200cit/config', 'git'],
  ['.git./config', 'git'],
  ['.git /config', 'git'],
  ['.git::$INDEX_ALLOCATION/config', 'git'],
  ['.g\u0130t/x', 'dotted'],
  ['.GIT\u017f/x', 'dotted'],
  ['.hu\u017fky/pre-commit', 'hooks'],
  ['\uff0egit/config', 'git'],
  ['GIT~1/config', 'dotted'],
  ['MCP~1.JSO', 'dotted'],
  ['.githooks/pre-push', 'git'],
  ['.gitattributes', 'git'],
  ['.gitmodules', 'git'],
  ['.husky/_/x', 'hooks'],
  ['lefthook.yml', 'hooks'],
  ['lefthook-local.toml', 'hooks'],
  ['.pre-commit-config.yaml', 'hooks'],
  ['.lintstagedrc.mjs', 'hooks'],
  ['.overcommit.yml', 'hooks'],
  ['.opencode/plugin/a.ts', 'agent'],
  ['.vscode/tasks.json', 'editor'],
  ['.vscode\\tasks.json', 'editor'],
  ['.VSCode/settings.json', 'editor'],
  ['.vscode/readme.md', 'editor'],
  ['app.code-workspace', 'editor'],
  ['.idea/workspace.xml', 'editor'],
  ['.mcp.json', 'agent'],
  ['.mcp.json:stream', 'agent'],
  ['.pi/settings.json', 'agent'],
  ['.pilot/mcp.json', 'agent'],
  ['.claude/settings.json', 'agent'],
  ['.claude.json', 'agent'],
  ['.cursor/mcp.json', 'agent'],
  ['.envrc', 'shell'],
  ['packages/a/.envrc', 'shell'],
  ['mise.toml', 'shell'],
  ['.tool-versions', 'shell'],
  ['.bashrc', 'shell'],
  ['.zshenv', 'shell'],
  ['.profile', 'shell'],
  ['sitecustomize.py', 'shell'],
  ['.npmrc', 'install'],
  ['.yarnrc.yml', 'install'],
  ['.yarn/releases/yarn.cjs', 'install'],
  ['.pnpmfile.cjs', 'install'],
  ['.cargo/config.toml', 'install'],
  ['binding.gyp', 'install'],
  ['.devcontainer/devcontainer.json', 'container'],
  ['.devcontainer.json', 'container'],
  ['.github/workflows/ci.yml', 'pipeline'],
  ['.GitHub/Workflows/ci.yml', 'pipeline'],
  ['.github/actions/a/action.yml', 'pipeline'],
  ['.gitlab-ci.yml', 'pipeline'],
  ['.unheard-of/config.json', 'dotted'],
  ['.unheardrc', 'dotted'],
])('%j starts something: %s', (path, kind) => {
  expect(startedBy(path)).toBe(kind);
});

it.each([
  'src/index.ts',
  'README.md',
  'src/git/config',
  'docs/vscode/tasks.json',
  'Makefile',
  'vite.config.ts',
  'conftest.py',
  '.gitignore',
  '.env',
  '.env.local',
  '.editorconfig',
  '.prettierrc.json',
  '.eslintrc.cjs',
  '.nvmrc',
  '.dockerignore',
  '.github/ISSUE_TEMPLATE/bug.md',
  '.github/dependabot.yml',
  '.changeset/new-words.md',
  '.notes/plan.md',
  'a~b.ts',
  'foo~1~',
  'x:y',
])('%j starts nothing', (path) => {
  expect(startedBy(path)).toBeUndefined();
});

it('takes what is outside of the folder by its own name', () => {
  expect(startedBy('/home/u/.local/share/notes.json', true)).toBeUndefined();
  expect(startedBy('/home/u/.local/share/.hidden', true)).toBe('dotted');
  expect(startedBy('/home/u/.config/fish/config.fish', true)).toBe('shell');
  expect(startedBy('/home/u/.ssh/config', true)).toBe('shell');
});

it.each([
  [{}, { scripts: { postinstall: 'x' } }, true],
  [{ scripts: { test: 'a' } }, { scripts: { test: 'b' } }, true],
  [{ scripts: { test: 'a' } }, { dependencies: { a: '1' }, scripts: { test: 'a' } }, false],
  [{ version: '1' }, { version: '2', engines: {} }, false],
  [{}, { 'lint-staged': { '*': 'x' } }, true],
  [{}, { husky: { hooks: {} } }, true],
  [{}, { packageManager: 'yarn@1' }, true],
  [{}, { gitHooks: {} }, true],
])('compares manifests: %j and %j', (before, after, expected) => {
  const texts = [before, after].map((value) => JSON.stringify(value)) as [string, string];
  expect(changesStarts('a/Package.json', ...texts)).toBe(expected);
  expect(changesStarts('a/package.ts', ...texts)).toBe(false);
});

it('takes a manifest that cannot be read for one that starts something', () => {
  const deep = `{"version":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
  for (const text of ['', '{', '[]', '{"scripts":{"x":"y"},}']) {
    expect(changesStarts('package.json', '{}', text)).toBe(true);
    expect(changesStarts('package.json', text, '{}')).toBe(true);
  }
  expect(changesStarts('package.json', undefined, '{"version":"1"}')).toBe(false);
  expect(changesStarts('package.json', '\uFEFF{}', deep)).toBe(false);
  expect(changesStarts('package.json', '{}', deep.replace('version', 'scripts'))).toBe(true);
});

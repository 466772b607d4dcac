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

/** One name for each that is known. */
it.each([
  ['git', '.git .gitattributes .gitmodules .gitconfig .githooks .git-hooks'],
  ['hooks', '.husky .huskyrc.js husky.config.js .lefthook.yml lefthook.toml lefthook-local.yml'],
  ['hooks', '.pre-commit-x .lintstagedrc lint-staged.config.js .simple-git-hooks.js hk.pkl'],
  ['hooks', 'simple-git-hooks.js .overcommit.yml captainhook.json grumphp.yml .grumphp.yml'],
  ['hooks', '.commitlintrc commitlint.config.js .czrc .pre-commit .hooks git-hooks'],
  ['editor', '.vscode .idea .vs .zed .fleet .theia .helix a.code-workspace a.sublime-project'],
  ['editor', '.exrc .nvimrc .nvim.lua .vimrc .lvimrc .vim .nvim .dir-locals-2.el .emacs.d'],
  ['agent', '.mcp.json mcp.json .mcp .pi .pilot .claude.json .cursorrules .codex .gemini'],
  ['agent', '.windsurfrules .continuerc .roomodes .clinerules .kilocodemodes .opencode.json'],
  ['agent', 'opencode.jsonc .crush.json crush.json .amazonq .kiro .trae .junie .agents'],
  ['agent', '.goosehints .aider.conf.yml .qwen .augment-guidelines .factory .zencoder'],
  ['shell', '.envrc .direnvrc .autoenv.zsh .tool-versions mise.toml mise.local.toml .mise.toml'],
  ['shell', '.rtx.toml .asdfrc .bashrc .zshenv .zprofile .zlogin .zlogout .profile .login'],
  ['shell', '.logout .cshrc .tcshrc .kshrc .inputrc my.profile.ps1 .ssh .xprofile .xinitrc'],
  ['shell', '.xsessionrc .tmux.conf .screenrc config.fish autostart launchagents launchdaemons'],
  ['shell', 'sitecustomize.py usercustomize.py a.pth .gdbinit .lldbinit-x .pythonrc.py .pdbrc'],
  ['shell', '.irbrc .pryrc .rprofile .psqlrc .sqliterc'],
  ['install', '.npmrc .yarnrc.yml .yarn .pnpmfile.cjs pnpm-workspace.yaml package.json5'],
  ['install', 'package.yaml bunfig.toml .cargo rust-toolchain.toml binding.gyp .pip pip.conf'],
  ['install', 'pip.ini .condarc .bundle .gemrc .mvn .bazelrc .buckconfig nuget.config'],
  ['install', 'gradle-wrapper.properties maven-wrapper.properties'],
  ['container', '.devcontainer.json .gitpod.yml .replit .codesandbox .stackblitzrc .idx'],
  ['pipeline', '.github/workflows .github/actions .gitlab-ci.yml .gitlab/ci .circleci'],
  ['pipeline', '.travis.yml .drone.yml .woodpecker.yml .buildkite .semaphore .azure-pipelines.yml'],
  ['pipeline', 'azure-pipelines.yml bitbucket-pipelines.yml jenkinsfile.groovy appveyor.yml'],
  ['pipeline', '.appveyor.yml .cirrus.star .gitea/workflows .forgejo/workflows .teamcity'],
  ['pipeline', 'buildspec.yaml cloudbuild.json'],
  [undefined, '.github .gitlab .gitea .forgejo .gitignore .gitkeep .keep .mailmap'],
  [undefined, '.git-blame-ignore-revs .gitmessage .dockerignore .editorconfig .env .env.local'],
  [undefined, '.env-cmdrc .prettierrc.js .eslintrc.js .stylelintrc .markdownlint.json .remarkrc'],
  [undefined, '.yamllint.yml .flake8 .pylintrc .isort.cfg .coveragerc .rubocop.yml .rspec'],
  [undefined, '.clang-format .clangd .cspell.json .jshintrc .oxlintrc.json .nycrc .c8rc'],
  [undefined, '.mocharc.js .babelrc .swcrc .postcssrc .browserslistrc .nvmrc .node-version'],
  [undefined, '.python-version .ruby-version .java-version .go-version .terraform-version'],
  [undefined, '.htaccess .nojekyll .well-known .storybook .changeset .vitepress .vuepress'],
  [undefined, '.cache .tmp .temp .next .nuxt .svelte-kit .astro .output .turbo .vercel'],
  [undefined, '.netlify .all-contributorsrc'],
])('knows for %s each of %s', (kind, names) => {
  const found = names.split(' ').map((name) => [name, startedBy(`a/${name}`)]);
  expect(found.filter(([, one]) => one !== kind)).toEqual([]);
  const below = names.split(' ').map((name) => [name, startedBy(`a/${name}/b`)]);
  expect(below.filter(([, one]) => one !== kind)).toEqual([]);
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

it('knows each field of a manifest that starts nothing, and asks about all others', () => {
  const plain = [
    'name version description keywords license licenses author contributors maintainers homepage bugs repository',
    'funding private type main module browser types typings typesVersions exports imports files sideEffects',
    'dependencies devDependencies peerDependencies peerDependenciesMeta man bin optionalDependencies',
    'bundleDependencies bundledDependencies overrides resolutions engines os cpu libc publishConfig workspaces',
    'browserslist displayName publisher categories icon galleryBanner badges preview markdown qna contributes',
    'activationEvents extensionKind extensionDependencies extensionPack capabilities enabledApiProposals l10n jest',
    'prettier eslintConfig eslintIgnore stylelint babel ava mocha nyc c8 postcss xo standard jsdelivr unpkg style',
    'sass svelte react-native source umd:main jsnext:main es2015 size-limit bundlesize sponsor copyright title year',
    'packageJsonVersion $schema',
  ].flatMap((names) => names.split(' '));
  const starts = (path: string) => (name: string) =>
    changesStarts(path, '{}', JSON.stringify({ [name]: 'x' }));
  expect(plain.filter(starts('package.json'))).toEqual([]);
  const others = ['scripts', 'pnpm', 'yarn', 'gypfile', 'config', 'directories', 'unheard-of'];
  expect(others.filter(starts('package.json'))).toEqual(others);
  const composer = ['scripts', 'config', 'extra'];
  expect([...plain, ...composer].filter(starts('composer.json'))).toEqual(composer);
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

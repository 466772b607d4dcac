/**
 * Which files start something when they are written, by their names alone.
 *
 * The rule: a file is guarded when a program that people use anyway reads it without being told its name, and starts
 * what it says: on opening the folder in an editor or agent, entering it in a shell, committing or checking out,
 * installing dependencies, pushing to where jobs run. What runs in a step of its own that somebody takes (sources,
 * scripts, tests, files of a build) is not. Tools keep such files under names that begin with a dot, so that a name
 * with a dot is guarded unless it is known to hold no more than text, rules of style or values.
 */
import { isJsonObject } from '../../base/json.js';
import type { StartKind } from '../../protocol/tools/approvalRules.js';

/** Folders and files, wherever they are; a folder stands for all that is below. Lower case. */
const guarded: Readonly<Record<Exclude<StartKind, 'gitNamed' | 'dotted'>, readonly string[]>> = {
  git: names('.git .gitattributes .gitmodules .gitconfig .githooks .git-hooks'),
  hooks: names(
    '.husky .huskyrc* husky.config.* .lefthook* lefthook.* lefthook-local.* .pre-commit-* .lintstagedrc* ' +
      'lint-staged.config.* .simple-git-hooks* hk.pkl simple-git-hooks.* .overcommit* captainhook.json ' +
      'grumphp.* .grumphp.* .commitlintrc* commitlint.config.* .czrc .pre-commit .hooks git-hooks',
  ),
  editor: names(
    '.vscode .idea .vs .zed .fleet .theia .helix *.code-workspace *.sublime-project .exrc .nvimrc .nvim.* ' +
      '.vimrc .lvimrc .vim .nvim .dir-locals*.el .emacs*',
  ),
  agent: names(
    '.mcp.json mcp.json .mcp .pi .pilot .claude* .cursor* .codex .gemini .windsurf* .continue* .roo* ' +
      '.cline* .kilocode* .opencode* opencode.json* .crush* crush.json .amazonq .kiro .trae .junie .agents ' +
      '.goose* .aider* .qwen .augment* .factory .zencoder',
  ),
  shell: names(
    '.envrc .direnv* .autoenv* .tool-versions mise.toml mise.*.toml .mise* .rtx.toml .asdfrc .bash* .zsh* ' +
      '.zprofile .zlogin .zlogout .profile .login .logout .cshrc .tcshrc .kshrc .inputrc *profile.ps1 .ssh ' +
      '.xprofile .xinitrc .xsession* .tmux* .screenrc config.fish autostart launchagents launchdaemons ' +
      'sitecustomize.py usercustomize.py *.pth .gdbinit .lldbinit* .pythonrc* .pdbrc* .irbrc .pryrc .rprofile ' +
      '.psqlrc .sqliterc',
  ),
  install: names(
    '.npmrc .yarnrc* .yarn .pnpmfile* pnpm-workspace.* package.json5 package.yaml bunfig.toml .cargo ' +
      'rust-toolchain* binding.gyp .pip pip.conf pip.ini .condarc .bundle .gemrc .mvn .bazelrc .buckconfig ' +
      'nuget.config gradle-wrapper.properties maven-wrapper.properties',
  ),
  container: names('.devcontainer* .gitpod* .replit .codesandbox .stackblitzrc .idx'),
  pipeline: names(
    '.github/workflows .github/actions .gitlab-ci* .gitlab/ci .circleci .travis.y*ml .drone.* .woodpecker* ' +
      '.buildkite .semaphore .azure-pipelines* azure-pipelines* bitbucket-pipelines.y*ml jenkinsfile* ' +
      'appveyor.* .appveyor.* .cirrus* .gitea/workflows .forgejo/workflows .teamcity buildspec.y*ml ' +
      'cloudbuild.*',
  ),
};

/** Names with a dot that nobody starts anything for. */
const plainDotted = names(
  '.github .gitlab .gitea .forgejo .gitignore .gitkeep .keep .mailmap .git-blame-ignore-revs .gitmessage ' +
    '.*ignore .editorconfig .env .env.* .env-* .prettierrc* .eslintrc* .stylelintrc* .markdownlint* ' +
    '.remarkrc* .yamllint* .flake8 .pylintrc .isort.cfg .coveragerc .rubocop* .rspec .clang-* .clangd ' +
    '.cspell* .jshintrc .oxlintrc* .nycrc* .c8rc* .mocharc* .babelrc* .swcrc .postcssrc* .browserslistrc ' +
    '.nvmrc .node-version .python-version .ruby-version .java-version .go-version .terraform-version ' +
    '.htaccess .nojekyll .well-known .storybook .changeset .vitepress .vuepress .cache .tmp .temp .next .nuxt ' +
    '.svelte-kit .astro .output .turbo .vercel .netlify .all-contributorsrc',
);

/** What nothing runs, in a folder with a dot that is not known. */
const plainEndings = /\.(?:md|mdx|txt|rst|adoc|csv|tsv|svg|png|jpe?g|gif|webp|pdf|log)$/;

const isPlainDotted = matcher(plainDotted);
const guards = Object.entries(guarded).map(([kind, names]) => ({
  kind: kind as keyof typeof guarded,
  isOne: matcher(names.filter((name) => !name.includes('/'))),
  pairs: matcher(names.filter((name) => name.includes('/'))),
}));

/** What a short name of Windows looks like: it may stand for any longer one. */
const shortName = /^[^~.]{1,6}~\d{1,6}(?:\.[^.]{0,3})?$/;

/**
 * What would read the file and start what it says; `undefined`: nothing that is known.
 * @param path relative to the folder, or absolute for a file outside of it; free of `..`
 * @param isOutside names with a dot on the way say nothing: it is somewhere of the user
 */
export function startedBy(path: string, isOutside = false): StartKind | undefined {
  const parts = path.split(/[/\\]/).map(folded).filter(Boolean);
  for (const [index, part] of parts.entries()) {
    const pair = `${parts[index - 1] ?? ''}/${part}`;
    const found = guards.find(({ isOne, pairs }) => isOne(part) || pairs(pair));
    if (found) {
      return found.kind;
    }
  }
  const last = parts.at(-1) ?? '';
  const unknown = isOutside ? [last] : parts;
  const isDotted = unknown.some((part) => part.startsWith('.') && !isPlainDotted(part));
  return (isDotted && !plainEndings.test(last)) || parts.some((part) => shortName.test(part))
    ? 'dotted'
    : undefined;
}

/** As the most forgiving file system reads a name: case, forms of characters, what is not seen, streams, trailing dots. */
export function folded(name: string): string {
  const seen = name.normalize('NFKC').replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '');
  const bare = seen.length > 2 ? seen.replace(/:.*$/s, '') : seen;
  return bare.replace(/[. ]+$/, '').toLowerCase();
}

/** What a manifest of a package may say without anything being started by hooks, installs and their like. */
const plainFields = new Set(
  names(
    'name version description keywords license licenses author contributors maintainers homepage bugs ' +
      'repository funding private type main module browser types typings typesVersions exports imports files ' +
      'sideEffects dependencies devDependencies peerDependencies peerDependenciesMeta man bin ' +
      'optionalDependencies bundleDependencies bundledDependencies overrides resolutions engines os cpu libc ' +
      'publishConfig workspaces browserslist displayName publisher categories icon galleryBanner badges ' +
      'preview markdown qna contributes activationEvents extensionKind extensionDependencies extensionPack ' +
      'capabilities enabledApiProposals l10n jest prettier eslintConfig eslintIgnore stylelint babel ava ' +
      'mocha nyc c8 postcss xo standard jsdelivr unpkg style sass svelte react-native source umd:main ' +
      'jsnext:main es2015 size-limit bundlesize sponsor copyright title year packageJsonVersion $schema',
  ),
);

/** Fields of other manifests that an install starts. */
const manifests: Readonly<Record<string, (field: string) => boolean>> = {
  'package.json': (field) => !plainFields.has(field),
  'composer.json': (field) => ['scripts', 'config', 'extra'].includes(field),
};

/** Whether a manifest says something else of what is started; so does what cannot be read. `undefined`: no file. */
export function changesStarts(path: string, before: string | undefined, after: string): boolean {
  const starts = manifestOf(path);
  if (!starts) {
    return false;
  }
  try {
    const [old, now] = [before === undefined ? {} : fieldsOf(before), fieldsOf(after)];
    const names = [...new Set([...Object.keys(old), ...Object.keys(now)])];
    const text = (value: unknown) => JSON.stringify(value);
    return names.some((name) => starts(name) && text(old[name]) !== text(now[name]));
  } catch {
    return true;
  }
}

function manifestOf(path: string): ((field: string) => boolean) | undefined {
  const name = folded(path.split(/[/\\]/).at(-1) ?? '');
  return Object.hasOwn(manifests, name) ? manifests[name] : undefined;
}

/** @throws for what is no object */
function fieldsOf(text: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
  if (!isJsonObject(value)) {
    throw new SyntaxError('no object');
  }
  return value;
}

/** @param names with `*` for any characters at one place at most */
function matcher(names: readonly string[]): (name: string) => boolean {
  const whole = new Set(names.filter((name) => !name.includes('*')));
  const parts = names.filter((name) => name.includes('*')).map((name) => name.split('*'));
  return (name) =>
    whole.has(name) ||
    parts.some(
      ([start = '', end = '']) =>
        name.length >= start.length + end.length && name.startsWith(start) && name.endsWith(end),
    );
}

function names(text: string): readonly string[] {
  return text.split(' ');
}

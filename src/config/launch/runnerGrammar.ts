/**
 * What is plain for each program that runs something else: one package, image or file, with options that are known to
 * change nothing of what runs. Whatever does not stand here is not plain.
 */
import { isNarrowMount, isPlainFile, isPlainVariable } from './plainWords.js';

type Check = (text: string) => boolean;

export interface RunnerGrammar {
  /** Options that stand alone. */
  readonly switches?: RegExp;
  /** Options with a value, and what is plain as one. */
  readonly values?: Readonly<Record<string, Check>>;
  /** Those of `values` that name the package; the first operand is then a program. */
  readonly packageOptions?: readonly string[];
  /** Options whose value is what runs; all that follows belongs to it. */
  readonly targets?: Readonly<Record<string, Check>>;
  /** What the first operand can be, when it says what to do. */
  readonly verbs?: Readonly<Record<string, RunnerGrammar>>;
  /** The first operand, when it is what runs. */
  readonly operand?: Check;
  /** The first operand may be a program with arguments instead. */
  readonly runsPrograms?: boolean;
  /** It looks for its own options behind the operand, too, up to `--`. */
  readonly readsOn?: boolean;
}

const like = (pattern: RegExp): Check => {
  return (text) => pattern.test(text);
};

// #region what runs

/** Npm takes what ends so for a file, wherever it stands. */
const archive = /\.(?:tgz|tar|tar\.gz|zip|whl)$/i;
const npmName = /^(?:@[a-z\d][\w.~-]*\/)?[a-z\d][\w.~-]*(?:@[~^=v]?[\w*][\w.*+-]*)?$/i;
const pypiName =
  /^[a-z\d][\w.-]*(?:\[[\w,.-]+\])?(?:@[\w.+!-]+|(?:[=~!<>]=|[<>])\d[\w.*+!-]*(?:,(?:[=~!<>]=|[<>])\d[\w.*+!-]*)*)?$/i;
const imageName =
  /^[a-z\d][\w.-]*(?::\d{1,5})?(?:\/[a-z\d][\w.-]*)*(?::[\w.-]{1,128})?(?:@sha256:[\da-f]{1,64})?$/;

const npmPackage: Check = (text) => npmName.test(text) && !archive.test(text);
const pypiPackage: Check = (text) =>
  pypiName.test(text) && !archive.test(text) && !/\.py$/i.test(text);
/** Of a server; others of Python install, debug and run what their arguments say. */
const module: Check = like(/^(?=.*(?:mcp|server))[a-z_]\w*(?:\.\w+)*$/i);
/** What else has a slash may be a package or an image. */
const isRooted = /^(?:[.~]*|[A-Za-z]:|\$\{\w+\})[\\/]/;
const file = (extension: RegExp): Check => {
  return (text) => isPlainFile(text) && (extension.test(text) || isRooted.test(text));
};
const script = /\.[cm]?[jt]sx?$/i;

// #endregion

const version = like(/^(?:python|cpython|pypy)?@?(?:[=~<>]=|[<>])?\d+(?:\.\d+)*$/);
const folder: Check = (text) => isPlainFile(text);

const npx: RunnerGrammar = {
  switches:
    /^(?:-y|--yes|-q|--quiet|-s|--silent|--no-install|--prefer-(?:offline|online)|--offline)$/,
  values: { '-p': npmPackage, '--package': npmPackage },
  packageOptions: ['-p', '--package'],
  operand: npmPackage,
};

const bunx: RunnerGrammar = { ...npx, switches: /^(?:-y|--yes|--bun|--silent|--no-install)$/ };

const uvSwitches =
  /^(?:-q|--quiet|-v|--verbose|--no-cache|-n|--offline|--no-progress|--isolated|--refresh|--frozen|--locked|--no-sync|--no-dev|--no-project|--active|--no-config|--native-tls)$/;

const uvx: RunnerGrammar = {
  switches: uvSwitches,
  values: {
    '--from': pypiPackage,
    '--with': pypiPackage,
    '--python': version,
    '-p': version,
  },
  packageOptions: ['--from'],
  operand: pypiPackage,
};

const uvRun: RunnerGrammar = {
  switches: uvSwitches,
  values: {
    '--directory': folder,
    '--project': folder,
    '--with': pypiPackage,
    '--python': version,
    '-p': version,
    '--package': pypiPackage,
    '--extra': like(/^[\w-]+$/),
    '--group': like(/^[\w-]+$/),
  },
  targets: { '-m': module, '--module': module },
  operand: (text) => isPlainFile(text) && /\.py$/i.test(text),
  runsPrograms: true,
};

const container: RunnerGrammar = {
  switches: /^(?:-[it]+|--interactive|--tty|--rm|--init|--read-only|-q|--quiet)$/,
  values: {
    '-e': isPlainVariable,
    '--env': isPlainVariable,
    '--name': like(/^[\w.-]+$/),
    '--pull': like(/^(?:always|missing|never|newer)$/),
    '--platform': like(/^\w+\/\w+(?:\/\w+)?$/),
    '--network': like(/^(?:bridge|none|default)$/),
    '--net': like(/^(?:bridge|none|default)$/),
    '-p': like(/^(?:127\.0\.0\.1:)?\d+:\d+$/),
    '--publish': like(/^(?:127\.0\.0\.1:)?\d+:\d+$/),
    '-m': like(/^\d+[bkmg]?$/i),
    '--memory': like(/^\d+[bkmg]?$/i),
    '--cpus': like(/^\d+(?:\.\d+)?$/),
    '-u': like(/^\d+(?::\d+)?$/),
    '--user': like(/^\d+(?::\d+)?$/),
    '-v': isNarrowMount,
    '--volume': isNarrowMount,
    '--mount': isNarrowMount,
    '--cap-drop': like(/^\w+$/),
    '--security-opt': like(/^no-new-privileges(?:[:=]true)?$/),
    '--add-host': like(/^host\.docker\.internal:host-gateway$/),
  },
  operand: like(imageName),
};

const docker: RunnerGrammar = {
  verbs: {
    run: container,
    container: { verbs: { run: container } },
    mcp: { verbs: { gateway: { verbs: { run: {} } } } },
  },
};

const node: RunnerGrammar = {
  switches:
    /^(?:--no-(?:warnings|deprecation)|--enable-source-maps|--trace-(?:warnings|deprecation|uncaught)|--experimental-strip-types|--max-old-space-size=\d+)$/,
  operand: file(script),
};

const python: RunnerGrammar = {
  switches: /^(?:-u|-B|-I|-E|-s|-q|-O{1,2}|-Xutf8)$/,
  values: { '-X': like(/^utf8(?:=[01])?$/) },
  targets: { '-m': module },
  operand: file(/\.pyw?$/i),
};

const bunRun: RunnerGrammar = { operand: file(script) };

const npmExec: RunnerGrammar = { ...npx, readsOn: true };

/** By the name of the program, without version and ending. */
export const runnerGrammars: Readonly<Record<string, RunnerGrammar>> = {
  npx,
  pnpx: npx,
  bunx,
  npm: { switches: /^(?:-s|--silent)$/, verbs: { exec: npmExec, x: npmExec } },
  pnpm: { switches: /^(?:-s|--silent)$/, verbs: { dlx: npx } },
  yarn: { verbs: { dlx: npx } },
  bun: { verbs: { x: bunx, run: bunRun }, operand: file(script) },
  uvx,
  uv: {
    switches: uvSwitches,
    values: { '--directory': folder, '--project': folder },
    verbs: { run: uvRun, tool: { verbs: { run: uvx } } },
  },
  pipx: {
    verbs: {
      run: {
        switches: /^(?:-q|--quiet|--no-cache)$/,
        values: { '--spec': pypiPackage },
        packageOptions: ['--spec'],
        operand: pypiPackage,
      },
    },
  },
  docker,
  podman: docker,
  dnx: {
    switches: /^(?:-y|--yes|--prerelease)$/,
    values: { '--version': like(/^[\w.*+-]+$/) },
    operand: npmPackage,
    readsOn: true,
  },
  node,
  nodejs: node,
  tsx: { operand: file(script) },
  'ts-node': { operand: file(script) },
  deno: {
    verbs: {
      run: {
        switches:
          /^(?:-[ARWNESq]+|-[RWNES]=[^\s]+|--allow-(?:all|(?:net|read|write|env|sys)(?:=[^\s]+)?)|--deny-\w+(?:=[^\s]+)?|--no-(?:prompt|check|lock|config|remote)|--quiet|--cached-only|--node-modules-dir(?:=(?:auto|none|manual))?)$/,
        operand: (text) =>
          /^(?:jsr|npm):(?:@[\w.-]+\/)?\w[\w.-]*(?:@[~^=v]?[\w*][\w.*+-]*)?(?:(?:\/[\w-][\w.-]*)+)?$/.test(
            text,
          ) || file(script)(text),
      },
    },
  },
  python,
  py: python,
  ruby: { operand: file(/\.rb$/i) },
  php: { operand: file(/\.php$/i) },
  perl: { operand: file(/\.p[lm]$/i) },
  java: {
    switches: /^(?:-Xm[sx]\d+[kmg]?|-Dspring\.ai\.mcp\.server\.stdio=true)$/i,
    targets: { '-jar': file(/\.jar$/i) },
  },
  dotnet: {
    verbs: { run: { switches: /^--no-build$/, targets: { '--project': folder } } },
    operand: file(/\.dll$/i),
  },
  go: { verbs: { run: { operand: like(/^[\w-]+(?:\.[\w-]+)+(?:\/[\w.~-]+)+@[\w.+-]+$/) } } },
  sh: { operand: file(/\.sh$/i) },
  bash: { operand: file(/\.(?:ba)?sh$/i) },
  zsh: { operand: file(/\.z?sh$/i) },
};

/** Programs that run what their arguments say, beside {@link runnerGrammars}. */
export const otherRunners: ReadonlySet<string> = new Set(
  `dash ksh fish csh tcsh ash busybox toybox cmd powershell pwsh wscript cscript mshta rundll32 osascript env sudo doas
   su nice nohup timeout setsid stdbuf xargs parallel find watch script ssh expect make cmake gradle mvn ant cargo nix
   awk gawk mawk sed ed vi vim emacs lua luajit tclsh wish julia groovy scala kotlin swift elixir erl guile
   racket r rscript octave gdb lldb strace curl wget eval exec source pip pip3 gem composer git corepack
   concurrently cross-env dotenv zx nodemon ts-node-dev esno jiti vite-node`
    .trim()
    .split(/\s+/),
);

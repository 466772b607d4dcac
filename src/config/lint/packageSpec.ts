import { win32 } from 'node:path';

/** The package that a runner such as `npx`, or the image that `docker run`, will download and run. */
export interface PackageSpec {
  readonly argIndex: number;
  readonly name: string;
  /** As written behind the name; undefined when there is none. */
  readonly version: string | undefined;
  readonly registry: 'npm' | 'pypi' | 'nuget' | 'git' | 'docker';
  /** Name and version as they stand in the argument. */
  readonly written: string;
}

const valueFlags = new Set([
  '-p',
  '--package',
  '-c',
  '--call',
  '--from',
  '--with',
  '--python',
  '-w',
]);

/** `undefined` when the command is no package runner or its package cannot be told. */
export function packageOf(command: string, args: readonly string[]): PackageSpec | undefined {
  const program = nameOf(command);
  const shellFlag = shellFlags.get(program);
  return shellFlag ? packageOfShell(args, shellFlag) : packageOfRunner(program, args);
}

function packageOfRunner(program: string, args: readonly string[]): PackageSpec | undefined {
  if (isContainerClient(program)) {
    const verb = args[0] === 'container' ? 1 : 0;
    return args[verb] === 'run' ? imageOf(args, verb + 1) : undefined;
  }
  const start = startOfArgs(program, args);
  if (start === undefined) {
    return undefined;
  }
  const registry = program === 'dnx' ? 'nuget' : /^(?:uvx?|pipx)$/.test(program) ? 'pypi' : 'npm';
  for (let index = start; index < args.length; index++) {
    const arg = args[index] ?? '';
    const named = /^(?:-p|--package|--from)(?:=(.+))?$/.exec(arg);
    if (named) {
      return named[1]
        ? specAt(index, named[1], registry)
        : specAt(index + 1, args[index + 1], registry);
    }
    if (valueFlags.has(arg)) {
      index++;
    } else if (!arg.startsWith('-')) {
      return specAt(index, arg, registry);
    }
  }
  return undefined;
}

/** Docker, or a program that takes the same command line. */
export function isContainerClient(command: string): boolean {
  return /^(?:docker|podman|nerdctl)$/i.test(nameOf(command));
}

function nameOf(command: string): string {
  return win32.basename(command).replace(/\.(cmd|exe)$/i, '');
}

/** An exact version: the code cannot change without the file changing. The tag of an image counts as one. */
export function isPinned({ version = '', registry }: PackageSpec): boolean {
  switch (registry) {
    case 'docker':
      return !/^(?:|latest|main|master|edge|nightly|dev|stable)$/.test(version);
    case 'git':
      return /^(?:[0-9a-f]{7,64}|v?\d+\.\d+[\w.+-]*)$/.test(version);
    case 'pypi':
      return /^\d+(?:\.\d+)+(?:[a-z][a-z\d]*)?(?:\.[a-z][a-z\d]*)*$/.test(version);
    case 'nuget':
      return /^\d+(?:\.\d+){1,3}(?:-[\w.-]+)?$/.test(version);
    case 'npm':
      return /^[=v]*\d+\.\d+\.\d+([-+.][\w.+-]*)?$/.test(version);
  }
}

// #region shells

const posixFlag = /^-[a-z]*c$/;
/** How a shell is told what to run. */
const shellFlags: ReadonlyMap</* program */ string, RegExp> = new Map([
  ['bash', posixFlag],
  ['sh', posixFlag],
  ['zsh', posixFlag],
  ['dash', posixFlag],
  ['cmd', /^\/c$/i],
]);

/**
 * What the shell runs in the end: the last command of its line that downloads something. A shell within a shell is not
 * followed.
 */
function packageOfShell(args: readonly string[], flag: RegExp): PackageSpec | undefined {
  const at = args.findIndex((arg) => flag.test(arg)) + 1;
  if (at === 0) {
    return undefined;
  }
  const isSplit = args.length > at + 1;
  const words = isSplit ? args.slice(at) : (args[at] ?? '').split(/\s+/);
  const start = words.findLastIndex((word) => /^(?:&&|\|\||[;|]|exec)$/.test(word)) + 1;
  const [command, ...rest] = words.slice(start);
  const spec = command === undefined ? undefined : packageOfRunner(nameOf(command), rest);
  return spec && { ...spec, argIndex: isSplit ? at + start + 1 + spec.argIndex : at };
}

// #endregion

// #region images

/** Options of `docker run` that stand alone. */
const dockerSwitches =
  /^(?:-[ditP]+|--(?:rm|init|interactive|tty|detach|privileged|read-only|publish-all|no-healthcheck))$/;
/** Those whose value stands right behind them. */
const dockerInline = /^-[acehlmpuvw]./;

function imageOf(args: readonly string[], start: number): PackageSpec | undefined {
  for (let index = start; index < args.length; index++) {
    const arg = args[index] ?? '';
    if (!arg.startsWith('-')) {
      return imageAt(index, arg);
    }
    if (!dockerSwitches.test(arg) && !arg.includes('=') && !dockerInline.test(arg)) {
      index++;
    }
  }
  return undefined;
}

function imageAt(argIndex: number, written: string): PackageSpec | undefined {
  const match =
    /^((?:[\w.-]+:\d+\/)?[\w.-]+(?:\/[\w.-]+)*)(?::([\w.-]+))?(?:@(sha256:[0-9a-f]+))?$/.exec(
      written,
    );
  const name = match?.[1];
  return name
    ? { argIndex, name, version: match[3] ?? match[2], registry: 'docker', written }
    : undefined;
}

// #endregion

function startOfArgs(program: string, args: readonly string[]): number | undefined {
  if (['npx', 'bunx', 'uvx', 'pnpx', 'dnx'].includes(program)) {
    return 0;
  }
  const verbs: Record<string, readonly string[]> = {
    npm: ['exec', 'x'],
    pnpm: ['dlx'],
    yarn: ['dlx'],
    bun: ['x'],
    pipx: ['run'],
    uv: ['tool'],
  };
  if (!Object.hasOwn(verbs, program) || !verbs[program]?.includes(args[0] ?? '')) {
    return undefined;
  }
  return program === 'uv' ? 2 : 1;
}

function specAt(
  argIndex: number,
  written: string | undefined,
  registry: 'npm' | 'pypi' | 'nuget',
): PackageSpec | undefined {
  if (written === undefined) {
    return undefined;
  }
  const git = /^((?:git\+[a-z]+|github|gitlab|bitbucket):[^#@\s]+)(?:[#@]([^#@\s]+))?/.exec(
    written,
  );
  if (git?.[1]) {
    return { argIndex, name: git[1], version: git[2], registry: 'git', written };
  }
  const match =
    registry !== 'pypi'
      ? /^((?:@[\w.~-]+\/)?[\w.~-]+)(?:@(.+))?$/.exec(written)
      : /^([\w.-]+)(?:\[[\w,.-]*\])?(?:(?:@|==)(.+))?$/.exec(written);
  const name = match?.[1];
  // a path or a URL is no package of the registry
  return name && !name.startsWith('.')
    ? { argIndex, name, version: match[2], registry, written }
    : undefined;
}

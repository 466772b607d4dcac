/** The package that a runner such as `npx` will download and run. */
export interface PackageSpec {
  /** Index in `args`. */
  readonly argIndex: number;
  readonly name: string;
  /** As written behind the `@`; undefined when there is none. */
  readonly version: string | undefined;
  readonly registry: 'npm' | 'pypi';
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
  const program = (command.split(/[\\/]/).pop() ?? '').replace(/\.(cmd|exe)$/i, '');
  const start = startOfArgs(program, args);
  if (start === undefined) {
    return undefined;
  }
  const registry = program === 'uvx' || program === 'uv' || program === 'pipx' ? 'pypi' : 'npm';
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

/** An exact version: the code cannot change without the file changing. */
export function isPinned(spec: PackageSpec): boolean {
  return /^[=v]*\d+\.\d+\.\d+([-+.][\w.+-]*)?$/.test(spec.version ?? '');
}

function startOfArgs(program: string, args: readonly string[]): number | undefined {
  if (program === 'npx' || program === 'bunx' || program === 'uvx' || program === 'pnpx') {
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
  text: string | undefined,
  registry: PackageSpec['registry'],
): PackageSpec | undefined {
  const match =
    registry === 'npm'
      ? /^((?:@[\w.~-]+\/)?[\w.~-]+)(?:@(.+))?$/.exec(text ?? '')
      : /^([\w.-]+)(?:\[[\w,.-]*\])?(?:(?:@|==)(.+))?$/.exec(text ?? '');
  const name = match?.[1];
  // a path or a URL is no package of the registry
  return name && !name.startsWith('.')
    ? { argIndex, name, version: match[2], registry }
    : undefined;
}

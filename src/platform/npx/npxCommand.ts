import * as path from 'node:path';

/** What an `npx` or `npm exec` command line asks for. */
export interface NpxRequest {
  /** Package name without version. */
  readonly packageName: string;
  /** As written behind the `@`; empty when there is none. */
  readonly range: string;
  /** The whole spec as written: the key under which npm keeps its cache. */
  readonly spec: string;
  /** Name of the program; undefined = the package's only or same-named one. */
  readonly binary: string | undefined;
  /** What the program receives. */
  readonly args: readonly string[];
  /** Arguments that make npm keep the package as for this request, and run nothing of it. */
  readonly fetchArgs: readonly string[];
}

/** Longer ones are npm's to read. */
const maxSpecLength = 500;

const harmlessFlags = new Set(['-y', '--yes', '-q', '--quiet', '--prefer-offline', '--silent']);

/** `undefined` for anything but a plain request for one package of the registry: it then runs as written. */
export function parseNpxCommand(command: string, args: readonly string[]): NpxRequest | undefined {
  const program = path.basename(command.replaceAll('\\', '/')).replace(/\.(cmd|exe)$/i, '');
  if (program === 'npx') {
    return parseArguments(args, 'npx');
  }
  const [subcommand] = args;
  if (program === 'npm' && (subcommand === 'exec' || subcommand === 'x')) {
    const request = parseArguments(args.slice(1), 'npm');
    return request && { ...request, fetchArgs: [subcommand, ...request.fetchArgs] };
  }
  return undefined;
}

function parseArguments(args: readonly string[], program: 'npx' | 'npm'): NpxRequest | undefined {
  let spec: string | undefined;
  const flags: string[] = [];
  let index = 0;
  for (; index < args.length; index++) {
    const arg = args[index] ?? '';
    const inline = /^(?:--package|-p)=(.+)$/.exec(arg)?.[1];
    if (inline !== undefined || arg === '-p' || arg === '--package') {
      if (spec !== undefined) {
        return undefined;
      }
      spec = inline ?? args[++index];
    } else if (arg === '--') {
      index++;
      break;
    } else if (!arg.startsWith('-')) {
      break;
    } else if (!harmlessFlags.has(arg)) {
      return undefined;
    } else {
      flags.push(arg);
    }
  }
  const [first, ...rest] = args.slice(index);
  if (first === undefined) {
    return undefined;
  }
  // npm reads flags behind the package name as its own, up to `--`; npx passes them on
  if (program === 'npm' && args[index - 1] !== '--' && rest.some((arg) => arg.startsWith('-'))) {
    return undefined;
  }
  const found = spec === undefined ? request(first, undefined, rest) : request(spec, first, rest);
  // `exit` belongs to the shell, so that no program of the package is taken for it
  return found && { ...found, fetchArgs: [...flags, `--package=${found.spec}`, '-c', 'exit 0'] };
}

function request(
  spec: string,
  binary: string | undefined,
  args: readonly string[],
): Omit<NpxRequest, 'fetchArgs'> | undefined {
  if (spec.length > maxSpecLength) {
    return undefined;
  }
  const match = /^((?:@[a-z0-9][\w.~-]*\/)?[a-z0-9][\w.~-]*)(?:@([^/:]*))?$/i.exec(spec);
  return match?.[1]
    ? { packageName: match[1], range: match[2] ?? '', spec, binary, args }
    : undefined;
}

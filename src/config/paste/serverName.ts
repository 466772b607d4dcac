import { asList, type JsonObject } from '../../base/json.js';

const packageRunners = new Set(['npx', 'bunx', 'uvx', 'pipx', 'pnpm', 'yarn', 'npm', 'bun', 'uv']);
const runnerWords = new Set(['exec', 'dlx', 'run', 'x', 'tool']);
const interpreters = new Set(['node', 'python', 'python3', 'deno', 'bun', 'sh', 'bash', 'docker']);

/** Of what a name is made from. */
const maxNameLength = 200;

/** A short name for a server that came without one, from its package, image, script or host. */
export function suggestServerName(entry: JsonObject): string {
  if (typeof entry.url === 'string') {
    return nameOfUrl(entry.url);
  }
  const command = typeof entry.command === 'string' ? entry.command : '';
  const given = asList(entry.args);
  const args = given.filter((arg) => typeof arg === 'string');
  const program = baseName(command);
  const positional = args.filter((arg) => !arg.startsWith('-') && !runnerWords.has(arg));
  if (packageRunners.has(program)) {
    return clean(nameOfPackage(positional[0] ?? program));
  }
  if (program === 'docker') {
    return clean(nameOfPackage(positional.find((arg) => /[/:]/.test(arg)) ?? positional[0] ?? ''));
  }
  return clean(baseName(interpreters.has(program) ? (positional[0] ?? program) : program));
}

/** The name with a number behind it when it is taken. */
export function uniqueName(name: string, taken: ReadonlySet<string>): string {
  let candidate = name;
  for (let number = 2; taken.has(candidate); number++) {
    candidate = `${name}-${number}`;
  }
  return candidate;
}

function nameOfPackage(spec: string): string {
  // a version or tag stands behind the last part of the name, whose own first letter may be an `@`
  const lastPart = Math.max(1, spec.lastIndexOf('@'), spec.lastIndexOf('/'));
  const mark = spec.slice(lastPart).search(/[@:]/);
  const unversioned = mark === -1 ? spec : spec.slice(0, lastPart + mark);
  return unversioned.split('/').pop() ?? unversioned;
}

function nameOfUrl(url: string): string {
  try {
    const labels = new URL(url).hostname.split('.');
    const known = labels.filter((label) => !['www', 'mcp', 'api'].includes(label));
    const isAddress = labels.every((label) => /^\d+$/.test(label)) || known[0] === 'localhost';
    return isAddress ? 'local' : clean(known[0] ?? 'remote');
  } catch {
    // a URL that needs variables first has no host yet
    return 'remote';
  }
}

function baseName(path: string): string {
  const last = path.split(/[\\/]/).pop() ?? '';
  return last.replace(/\.(exe|cmd|js|mjs|cjs|ts|py|sh)$/i, '');
}

function clean(name: string): string {
  const short = name
    .slice(0, maxNameLength)
    .replace(/[^A-Za-z0-9_]+/g, '-')
    .replace(/^(mcp-)?server-|^mcp-|-mcp(-server)?$|-server$|^-+|-+$/g, '');
  return short || 'server';
}

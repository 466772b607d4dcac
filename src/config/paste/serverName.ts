import { win32 } from 'node:path';
import { asList, type JsonObject } from '../../base/json.js';
import { packageOf } from '../lint/packageSpec.js';

/** Programs that run what is named behind them. */
const runners = new Set(
  'npx bunx uvx pipx pnpm yarn npm bun uv node python python3 deno sh bash docker'.split(' '),
);
const runnerWords = new Set(['exec', 'dlx', 'run', 'x', 'tool']);

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
  const spec = packageOf(command, args);
  if (spec) {
    return nameOfPackage(spec.name);
  }
  const program = baseName(command);
  const operand = args.find((arg) => !arg.startsWith('-') && !runnerWords.has(arg));
  return clean(baseName(runners.has(program) ? (operand ?? program) : program));
}

/** `@acme/mcp` is named as its scope is, since its own name says nothing. */
function nameOfPackage(name: string): string {
  const names = name.slice(0, maxNameLength).split('/').reverse().map(baseName).map(clean);
  return names.find((one) => !/^(?:mcp|server)$/.test(one)) ?? names[0] ?? '';
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
  return win32.basename(path).replace(/\.(exe|cmd|js|mjs|cjs|ts|py|sh|git)$/i, '');
}

function clean(name: string): string {
  const short = name
    .slice(0, maxNameLength)
    .replace(/[^A-Za-z0-9_]+/g, '-')
    .replace(/^(mcp-)?server-|^mcp-|-mcp(-server)?$|-server$|^-+|-+$/g, '');
  return short || 'server';
}

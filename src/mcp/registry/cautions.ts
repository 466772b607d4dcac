/** What somebody should know before a server of the registry, or of a link, is added. */
import * as l10n from '@vscode/l10n';
import { isJsonObject, type JsonObject } from '../../base/json.js';
import { showText } from '../../base/text/showText.js';
import { isPinned, packageOf } from '../../config/lint/packageSpec.js';
import type { RegistryServer } from './serverJson.js';

/** Of the publisher's own words about the server, and of what is known about it. */
export function serverCautions(server: RegistryServer): readonly string[] {
  const { status, statusMessage, repository, name } = server;
  const owner = ownerOf(repository);
  const account = /^io\.github\.([^/]+)\//i.exec(name)?.[1];
  return [
    ...(status === 'deprecated'
      ? [
          statusMessage === undefined
            ? l10n.t('Its publisher says that it should not be used any more.')
            : l10n.t(
                'Its publisher says that it should not be used any more: {0}',
                showText(statusMessage),
              ),
        ]
      : []),
    ...(owner !== undefined &&
    account !== undefined &&
    owner.toLowerCase() !== account.toLowerCase()
      ? [
          l10n.t(
            'It was published by the GitHub account {0}, but its code is said to be that of {1}.',
            account,
            owner,
          ),
        ]
      : []),
  ];
}

/** How the name of a server was proven; it says who published it, not that it is safe. */
export function publisherText(name: string): string {
  const [namespace = ''] = name.split('/');
  const account = /^io\.github\.(.+)$/i.exec(namespace)?.[1];
  return account === undefined
    ? l10n.t('Published by the owner of {0}.', namespace.split('.').reverse().join('.'))
    : l10n.t('Published by the GitHub account {0}.', account);
}

/** Of what an entry would do. */
export function launchCautions(entry: JsonObject): readonly string[] {
  const { command } = entry;
  if (typeof command !== 'string') {
    return [];
  }
  const args = wordsOf(entry.args);
  const program =
    command
      .split(/[\\/]/)
      .at(-1)
      ?.replace(/\.(exe|cmd)$/i, '') ?? '';
  const spec = packageOf(command, args);
  const isContainer = program === 'docker' || program === 'podman';
  return [
    ...(isContainer ? containerCautions(args) : []),
    ...(runsCode(program, args) ? [l10n.t('It runs code that stands in its arguments.')] : []),
    ...(spec && !isPinned(spec)
      ? [l10n.t('It names no exact version: what runs can change without notice.')]
      : []),
    ...loaderVariables(entry.env).map((name) =>
      l10n.t('It sets {0}, which can load other code into programs.', name),
    ),
  ];
}

function containerCautions(args: readonly string[]): readonly string[] {
  const joined = args.map((arg, index) => `${arg}=${args[index + 1] ?? ''}`);
  const mounts = args.some((arg) => /^(-v|--volume|--mount)(=|$)/.test(arg));
  const mountsAll = joined.some((pair) => /^(-v|--volume)=\/:|(src|source)=\/(,|$)/.test(pair));
  return [
    ...(args.some((arg) => /^--privileged(=true)?$/.test(arg))
      ? [l10n.t('Its container may do what the administrator of this machine may do.')]
      : []),
    ...(mountsAll
      ? [l10n.t('Its container sees every file of this machine.')]
      : mounts
        ? [l10n.t('Its container sees files of this machine.')]
        : []),
    ...(joined.some((pair) => /^--(net|network)=host/.test(pair))
      ? [l10n.t('Its container reaches everything that this machine reaches.')]
      : []),
  ];
}

const codeFlags: Readonly<Record<string, readonly string[]>> = {
  node: ['-e', '--eval', '-p', '--print'],
  bun: ['-e', '--eval'],
  deno: ['eval'],
  python: ['-c'],
  python3: ['-c'],
  perl: ['-e'],
  ruby: ['-e'],
  sh: ['-c'],
  bash: ['-c'],
  zsh: ['-c'],
  cmd: ['/c', '/C'],
  powershell: ['-c', '-Command', '-EncodedCommand'],
  pwsh: ['-c', '-Command', '-EncodedCommand'],
  npx: ['-c', '--call'],
};

function runsCode(program: string, args: readonly string[]): boolean {
  const flags = Object.hasOwn(codeFlags, program) ? (codeFlags[program] ?? []) : [];
  return args.some((arg) => flags.includes(arg));
}

function loaderVariables(env: unknown): readonly string[] {
  const names = isJsonObject(env) ? Object.keys(env) : [];
  return names.filter((name) =>
    /^(NODE_OPTIONS|LD_PRELOAD|LD_LIBRARY_PATH|DYLD_\w+|PYTHONSTARTUP|PYTHONPATH|BASH_ENV|PATH)$/i.test(
      name,
    ),
  );
}

function wordsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function ownerOf(repository: string | undefined): string | undefined {
  const url = repository === undefined ? undefined : new URL(repository);
  return url?.hostname === 'github.com' ? url.pathname.split('/')[1] : undefined;
}

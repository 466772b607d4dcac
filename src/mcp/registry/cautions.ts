/** What somebody should know before a server of the registry, or of a link, is added. */
import * as l10n from '@vscode/l10n';
import type { JsonObject } from '../../base/json.js';
import { showText } from '../../base/text/showText.js';
import type { NewServer } from '../../config/configuration.js';
import type { McpServerLaunch } from '../../config/definition.js';
import { addressReach, parseAddress } from '../../config/launch/addressReach.js';
import type { LaunchTrait } from '../../config/launch/launchTraits.js';
import { traitText } from '../../config/launch/launchTraits.js';
import { oddWords, traitsWithWords } from '../../config/launch/plainLaunch.js';
import {
  hiddenHost,
  isOfMachine,
  isWholeDisk,
  mountSources,
} from '../../config/launch/plainWords.js';
import { isContainerClient, isPinned, packageOf } from '../../config/lint/packageSpec.js';
import { launchOfEntry } from '../../config/parse/launchOfEntry.js';
import type { InstallWay } from './installWay.js';
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

/**
 * Of what an entry would do, in sentences.
 * @param known traits that are as they should be here.
 */
export function launchCautions(
  launch: McpServerLaunch,
  known: readonly LaunchTrait[] = [],
): readonly string[] {
  const words = launch.kind === 'stdio' ? oddWords(launch) : [];
  const traits = traitsWithWords(launch, false).filter((trait) => !known.includes(trait));
  return [...traits.map((trait) => sentence(traitText(trait, words))), ...otherCautions(launch)];
}

/** Of all that is about to be added, each with the name of its server where there are several. */
export function addedCautions(servers: readonly NewServer[]): readonly string[] {
  return servers.flatMap(({ name, entry }) => {
    const launch = launchOfEntry(name, entry);
    const cautions = launch ? launchCautions(launch, ['reads_environment']) : [];
    return servers.length === 1
      ? cautions
      : cautions.map((caution) => l10n.t('{0}: {1}', showText(name), caution));
  });
}

function sentence(clause: string): string {
  return `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`;
}

function otherCautions(launch: McpServerLaunch): readonly string[] {
  if (launch.kind === 'http') {
    return addressCautions(launch.url);
  }
  const { command, args } = launch;
  const spec = packageOf(command, args);
  return [
    ...(isContainerClient(command) ? containerCautions(args) : []),
    ...(spec && !isPinned(spec)
      ? [l10n.t('It names no exact version: what runs can change without notice.')]
      : []),
  ];
}

/** Of an address that answers have made. */
export function openAddressCautions(
  { hasOpenAddress }: InstallWay,
  { url }: JsonObject,
): readonly string[] {
  const address = hasOpenAddress && typeof url === 'string' ? parseAddress(url) : undefined;
  return address ? [l10n.t('A variable decides where its address leads: {0}', address.origin)] : [];
}

function addressCautions(url: string): readonly string[] {
  if (addressReach(url) === 'unknown') {
    return [l10n.t('A variable decides where its address leads: {0}', showText(url))];
  }
  const host = hiddenHost(url);
  const isInTheClear = /^http:/i.test(url) && addressReach(url) !== 'loopback';
  return [
    ...(host === undefined
      ? []
      : [l10n.t('Its address does not lead where it seems to lead, but to {0}.', showText(host))]),
    ...(isInTheClear
      ? [l10n.t('Nothing on the way to it is encrypted (http:), secrets included.')]
      : []),
  ];
}

function containerCautions(args: readonly string[]): readonly string[] {
  const isSet = (name: string, value: RegExp) =>
    args.some((arg, index) =>
      arg.startsWith(`${name}=`)
        ? value.test(arg.slice(name.length + 1))
        : arg === name && value.test(args[index + 1] ?? ''),
    );
  const mounted = mountsIn(args).flatMap(mountSources).filter(isOfMachine);
  return [
    ...(args.some((arg) => /^--privileged(?:=(?:1|t|true))?$/i.test(arg))
      ? [l10n.t('Its container may do what the administrator of this machine may do.')]
      : []),
    ...(mounted.some(isWholeDisk)
      ? [l10n.t('Its container sees every file of this machine.')]
      : mounted.length > 0
        ? [
            l10n.t(
              'Its container sees files of this machine: {0}',
              mounted.map(showText).join(', '),
            ),
          ]
        : []),
    ...(isSet('--network', /^host/) || isSet('--net', /^host/)
      ? [l10n.t('Its container reaches everything that this machine reaches.')]
      : []),
  ];
}

/** Values of the options that mount something; that of a short one may stand right behind it. */
function mountsIn(args: readonly string[]): readonly string[] {
  return args.flatMap((arg, index) => {
    const [, inline] = /^(?:(?:-v|--volume|--mount)=|-v(?=.))([\s\S]*)$/.exec(arg) ?? [];
    const isOption = /^(?:-v|--volume|--mount)$/.test(arg);
    return inline ?? (isOption ? (args[index + 1] ?? []) : []);
  });
}

function ownerOf(repository: string | undefined): string | undefined {
  const url = repository === undefined ? undefined : new URL(repository);
  return url?.hostname === 'github.com' ? url.pathname.split('/')[1] : undefined;
}

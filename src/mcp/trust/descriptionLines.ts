/** The words of a launch, for every place that shows one: dialog, review, tooltip, log and command line. */
import * as l10n from '@vscode/l10n';
import { showText } from '../../base/text/showText.js';
import type { AddressReach } from '../../config/launch/addressReach.js';
import type {
  DescribedAddress,
  DescribedCwd,
  DescribedEnvFile,
  DescribedRead,
  FoundPath,
  LaunchDescription,
  NamedText,
} from '../../config/launch/launchDescription.js';
import { traitText } from '../../config/launch/launchTraitText.js';
import { oddWords } from '../../config/launch/plainLaunch.js';
import { commandLine } from '../../platform/commandLine.js';
import { consentDescription } from './redactDescription.js';

export interface DescriptionLine {
  readonly kind: 'command' | 'path' | 'value' | 'read' | 'address' | 'trait';
  readonly label: string;
  /** One line; nothing is cut, and what cannot be seen is escaped. */
  readonly text: string;
}

export interface ChangedLine extends DescriptionLine {
  readonly change: 'same' | 'added' | 'removed';
}

/** Everything that is known about the launch, in lines. */
export function describeLines(description: LaunchDescription): readonly DescriptionLine[] {
  const { argv, executable, package: found, cwd, env, headers, settings } = description;
  const inherited = l10n.t('every variable of the environment of the editor');
  return [
    ...(argv.length === 0 ? [] : [line('command', l10n.t('command'), commandLine(argv))]),
    ...(executable ? [line('path', l10n.t('executable'), pathText(executable))] : []),
    ...(found
      ? [
          line(
            'path',
            l10n.t('package'),
            `${showText(`${found.name} ${found.version}`.trim())}: ${pathText(found.file)}`,
          ),
        ]
      : []),
    ...(cwd?.written !== undefined || cwd?.found
      ? [line('path', l10n.t('working directory'), cwdText(cwd))]
      : []),
    ...description.addresses.map(addressLine),
    ...(description.envFile
      ? [line('path', l10n.t('environment file'), envFileText(description.envFile))]
      : []),
    ...(description.inheritEnv ? [line('read', l10n.t('environment'), inherited)] : []),
    ...namedLines(l10n.t('environment'), env, '='),
    ...namedLines(l10n.t('header'), headers, ': '),
    ...settings.map(({ name, text }) => line('value', showText(name), showText(text))),
    ...description.reads.flatMap(readLine),
    ...description.traits.map((trait) =>
      line('trait', l10n.t('note'), traitText(trait, oddIn(description))),
    ),
  ];
}

function oddIn({ argv: [command = '', ...args], env }: LaunchDescription): readonly string[] {
  return oddWords({ command, args, env: Object.fromEntries(env.map(({ name }) => [name, ''])) });
}

/** What the question about consent shows of it: everything but what is nothing but a secret. */
export function consentLines(description: LaunchDescription): readonly DescriptionLine[] {
  return describeLines(consentDescription(description));
}

/** {@link DescriptionLine} as shown, and what tells it from others: a secret that changed is a change. */
interface KeyedLine {
  readonly key: string;
  readonly item: DescriptionLine;
}

function keyedLines(description: LaunchDescription): readonly KeyedLine[] {
  const whole = describeLines(description);
  return consentLines(description).map((item, index) => ({
    key: JSON.stringify([item.label, whole[index]?.text]),
    item,
  }));
}

/**
 * What changed between two descriptions, as {@link consentLines}: a line that is gone stands before those of its kind
 * that came.
 */
export function diffDescriptions(
  before: LaunchDescription,
  now: LaunchDescription,
): readonly ChangedLine[] {
  const left = new Map<string, DescriptionLine[]>();
  for (const { key, item } of keyedLines(withTodaysTraits(before))) {
    append(left, key, item);
  }
  const kept = keyedLines(now).map(({ key, item }) => ({
    item,
    isSame: left.get(key)?.shift() !== undefined,
  }));
  const gone = new Map<string, DescriptionLine[]>();
  for (const item of [...left.values()].flat()) {
    append(gone, item.label, item);
  }
  const lines = kept.flatMap(({ item, isSame }): readonly ChangedLine[] => {
    const removed = isSame ? [] : (gone.get(item.label) ?? []);
    if (!isSame) {
      gone.delete(item.label);
    }
    return [...removed.map(asRemoved), { ...item, change: isSame ? 'same' : 'added' }];
  });
  return [...lines, ...[...gone.values()].flat().map(asRemoved)];
}

/** What nobody knew of a launch when it was agreed to is no change of it. */
function withTodaysTraits(before: LaunchDescription): LaunchDescription {
  const isOdd = before.kind === 'stdio' && oddIn(before).length > 0;
  const others = before.traits.filter((trait) => trait !== 'runs_other_code');
  return { ...before, traits: isOdd ? [...others, 'runs_other_code'] : others };
}

function append(lists: Map<string, DescriptionLine[]>, key: string, item: DescriptionLine): void {
  const list = lists.get(key);
  if (list) {
    list.push(item);
  } else {
    lists.set(key, [item]);
  }
}

function asRemoved(item: DescriptionLine): ChangedLine {
  return { ...item, change: 'removed' };
}

function line(kind: DescriptionLine['kind'], label: string, text: string): DescriptionLine {
  return { kind, label, text };
}

function namedLines(
  label: string,
  items: readonly NamedText[],
  separator: string,
): readonly DescriptionLine[] {
  return items.map(({ name, text }) =>
    line('value', label, `${showText(name)}${separator}${showText(text)}`),
  );
}

function pathText({ path, isInFolder, leadsTo, state }: FoundPath): string {
  const shown = showText(path);
  const place =
    leadsTo === undefined
      ? shown
      : l10n.t('{0}, a link that leads to {1}', shown, showText(leadsTo));
  switch (state) {
    case 'found':
      return isInFolder ? l10n.t('{0} (a file of this folder)', place) : place;
    case 'missing':
      return l10n.t('{0} (not found)', place);
    case 'after_consent':
      return l10n.t('{0} (outside of the folder; looked up only after your consent)', place);
  }
}

function cwdText({ written, found, isOutsideFolder }: DescribedCwd): string {
  if (!found) {
    return showText(written ?? '');
  }
  const path = showText(found.path);
  const place =
    found.leadsTo === undefined
      ? path
      : l10n.t('{0}, a link that leads to {1}', path, showText(found.leadsTo));
  if (found.state === 'after_consent') {
    return l10n.t('{0} (outside of the folder; looked up only after your consent)', place);
  }
  return isOutsideFolder ? l10n.t('{0} (outside of the folder)', place) : place;
}

/** The names that it sets, and what tells its values from others without showing them. */
function envFileText({ written, file, names, digest }: DescribedEnvFile): string {
  const place = file ? pathText(file) : showText(written);
  if (!names) {
    return place;
  }
  const what =
    names.length === 0
      ? l10n.t('sets nothing')
      : l10n.t('sets {0}', names.map(showText).join(', '));
  return digest === undefined
    ? `${place}: ${what}`
    : `${place}: ${what} (${l10n.t('content {0}', digest.slice(0, 8))})`;
}

function addressLine({ field, text, reach }: DescribedAddress): DescriptionLine {
  const label = field === 'url' ? l10n.t('address') : field;
  const where = reachText(reach);
  const shown = showText(text);
  return line('address', label, where === undefined ? shown : `${shown} (${where})`);
}

function reachText(reach: AddressReach): string | undefined {
  switch (reach) {
    case 'public':
      return undefined;
    case 'loopback':
      return l10n.t('this machine');
    case 'private':
      return l10n.t('your network');
    case 'link_local':
      return l10n.t('your network, such as the metadata of a cloud machine');
    case 'private_name':
      return l10n.t('a name of your network');
    case 'unknown':
      return l10n.t('depends on a variable');
    case 'invalid':
      return l10n.t('not an address');
  }
}

function readLine({ kind, name, field }: DescribedRead): readonly DescriptionLine[] {
  const place = showText(field);
  const shown = showText(name);
  const label = kind === 'command' ? l10n.t('runs') : l10n.t('reads');
  switch (kind) {
    case 'env':
      return [line('read', label, l10n.t('environment variable {0} for {1}', shown, place))];
    case 'input':
      return [line('read', label, l10n.t('your input {0} for {1}', shown, place))];
    case 'command':
      return [line('read', label, l10n.t('the command {0} in a shell for {1}', shown, place))];
    case 'unknown':
      return [line('read', label, l10n.t('{0}, which is not known, for {1}', shown, place))];
    case 'place':
      return [line('read', label, l10n.t('the place {0} for {1}', shown, place))];
  }
}

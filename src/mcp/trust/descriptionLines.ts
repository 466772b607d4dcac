/** The words of a launch, for every place that shows one: dialog, review, tooltip, log and command line. */
import * as l10n from '@vscode/l10n';
import { addTo } from '../../base/lists.js';
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
import { traitText } from '../../config/launch/launchTraits.js';
import { oddWords } from '../../config/launch/plainLaunch.js';
import { commandLine } from '../../platform/commandLine.js';
import { consentDescription } from './redactDescription.js';
import { plainText, slots, value, type WordedText, worded, words } from './wordedText.js';

export interface DescriptionLine {
  /** Default: another one. */
  readonly kind?: 'command' | 'address' | 'trait';
  readonly label: string;
  /** One line; nothing is cut, and what cannot be seen is escaped. */
  readonly text: string;
  /** The same with values of others as they are: of a command each argument, else one. */
  readonly rows: readonly WordedText[];
}

export interface ChangedLine extends DescriptionLine {
  readonly change: 'same' | 'added' | 'removed';
}

export function changedText({ label, text, change }: ChangedLine): string {
  const line = l10n.t('{0}: {1}', label, text);
  switch (change) {
    case 'same':
      return line;
    case 'added':
      return l10n.t('now: {0}', line);
    case 'removed':
      return l10n.t('before: {0}', line);
  }
}

/** Everything that is known about the launch, in lines. */
export function describeLines(description: LaunchDescription): readonly DescriptionLine[] {
  const { argv, executable, package: found, cwd, env, headers, settings } = description;
  const inherited = l10n.t('every variable of the environment of the editor');
  const place = cwd && cwdText(cwd);
  return [
    ...(argv.length === 0 ? [] : [commandRows(argv)]),
    ...(executable ? [line(l10n.t('found at'), pathText(executable))] : []),
    ...(found
      ? [
          line(l10n.t('package'), [
            ...value(`${found.name} ${found.version}`.trim()),
            ...words(': '),
            ...pathText(found.file),
          ]),
        ]
      : []),
    ...(place ? [line(l10n.t('working directory'), place)] : []),
    ...description.addresses.map(addressLine),
    ...(description.envFile
      ? [line(l10n.t('environment file'), envFileText(description.envFile))]
      : []),
    ...(description.inheritEnv ? [line(l10n.t('environment'), words(inherited))] : []),
    ...namedLines(l10n.t('environment'), env, '='),
    ...namedLines(l10n.t('header'), headers, ': '),
    ...settings.map(({ name, text }) => line(showText(name), value(text))),
    ...description.reads.map(readLine),
    ...description.traits.map((trait) =>
      line(l10n.t('note'), words(traitText(trait, oddIn(description))), 'trait'),
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
    addTo(left, key, item);
  }
  const kept = keyedLines(now).map(({ key, item }) => ({
    item,
    isSame: left.get(key)?.shift() !== undefined,
  }));
  const gone = new Map<string, DescriptionLine[]>();
  for (const item of [...left.values()].flat()) {
    addTo(gone, item.label, item);
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

function asRemoved(item: DescriptionLine): ChangedLine {
  return { ...item, change: 'removed' };
}

function commandRows(argv: readonly string[]): DescriptionLine {
  return {
    kind: 'command',
    label: l10n.t('command'),
    text: commandLine(argv),
    rows: argv.map(value),
  };
}

function line(label: string, text: WordedText, kind?: DescriptionLine['kind']): DescriptionLine {
  return { label, text: plainText(text), rows: [text], kind };
}

function namedLines(
  label: string,
  items: readonly NamedText[],
  separator: string,
): readonly DescriptionLine[] {
  return items.map(({ name, text }) =>
    line(label, [...value(name), ...words(separator), ...value(text)]),
  );
}

function pathText({ path, isInFolder, leadsTo, state }: FoundPath): WordedText {
  const place = linkText(path, leadsTo);
  switch (state) {
    case 'found':
      return isInFolder ? worded(l10n.t('{0} (a file of this folder)', ...slots), place) : place;
    case 'missing':
      return worded(l10n.t('{0} (not found)', ...slots), place);
    case 'after_consent':
      return afterConsent(place);
  }
}

function linkText(path: string, leadsTo: string | undefined): WordedText {
  return leadsTo === undefined
    ? value(path)
    : worded(l10n.t('{0}, a link that leads to {1}', ...slots), value(path), value(leadsTo));
}

function afterConsent(place: WordedText): WordedText {
  return worded(
    l10n.t('{0} (outside of the folder; looked up only once you trust it)', ...slots),
    place,
  );
}

/** `undefined`: no file names one, and nobody has looked. */
function cwdText({ written, found, isOutsideFolder }: DescribedCwd): WordedText | undefined {
  if (!found) {
    return written === undefined ? undefined : value(written);
  }
  const place = linkText(found.path, found.leadsTo);
  if (found.state === 'after_consent') {
    return afterConsent(place);
  }
  return isOutsideFolder ? worded(l10n.t('{0} (outside of the folder)', ...slots), place) : place;
}

/** The names that it sets, and what tells its values from others without showing them. */
function envFileText({ written, file, names, digest }: DescribedEnvFile): WordedText {
  const place = file ? pathText(file) : value(written);
  if (!names) {
    return place;
  }
  const list = names.flatMap((name, index) => [...words(index === 0 ? '' : ', '), ...value(name)]);
  const what =
    names.length === 0 ? words(l10n.t('sets nothing')) : worded(l10n.t('sets {0}', ...slots), list);
  const content = digest === undefined ? '' : ` (${l10n.t('content {0}', digest.slice(0, 8))})`;
  return [...place, ...words(': '), ...what, ...words(content)];
}

function addressLine({ field, text, reach }: DescribedAddress): DescriptionLine {
  const label = field === 'url' ? l10n.t('address') : field;
  const where = reachText(reach);
  const note = where === undefined ? '' : ` (${where})`;
  return line(label, [...value(text), ...words(note)], 'address');
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

function readLine({ kind, name, field }: DescribedRead): DescriptionLine {
  const label = kind === 'command' ? l10n.t('runs') : l10n.t('reads');
  return line(label, worded(readText(kind), value(name), value(field)));
}

function readText(kind: DescribedRead['kind']): string {
  switch (kind) {
    case 'env':
      return l10n.t('environment variable {0} for {1}', ...slots);
    case 'input':
      return l10n.t('your input {0} for {1}', ...slots);
    case 'command':
      return l10n.t('the command {0} in a shell for {1}', ...slots);
    case 'unknown':
      return l10n.t('{0}, which is not known, for {1}', ...slots);
    case 'place':
      return l10n.t('the place {0} for {1}', ...slots);
  }
}

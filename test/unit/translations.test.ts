/** Every text of ours is there in German, and none that is not ours. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readSources } from '../helpers/readSources.js';

type Texts = Readonly<Record<string, string>>;

const read = (path: string): Texts => JSON.parse(readFileSync(path, 'utf8'));

const sources = [
  ['the texts of the code', 'l10n/bundle.l10n.json', 'l10n/bundle.l10n.de.json'],
  ['the manifest', 'package.nls.json', 'package.nls.de.json'],
] as const;

/** What a translation has to keep, each as often as it is there. */
const kept = /\{\d+\}|`[^`]*`|\$\([\w-]+\)|\n|^\s+|\s+$/g;

function faults(english: Texts, german: Texts): readonly string[] {
  const missing = Object.keys(english).filter((key) => !german[key]);
  const stale = Object.keys(german).filter((key) => english[key] === undefined);
  const broken = Object.entries(english).filter(([key, text]) => {
    const marks = (one: string) => (one.match(kept) ?? []).sort();
    return german[key] && marks(text).join() !== marks(german[key]).join();
  });
  return [
    ...missing.map((key) => `has no German: ${key}`),
    ...stale.map((key) => `is no text of ours any more: ${key}`),
    ...broken.map(([key]) => `loses a placeholder, code, an icon or a line: ${key}`),
  ];
}

describe.each(sources)('%s', (_title, english, german) => {
  it('is there in German, whole', () => {
    expect(faults(read(english), read(german))).toEqual([]);
  });
});

/** Texts that the code asks for, as it writes them. */
function textsOf(code: string): readonly string[] {
  const calls = code.matchAll(
    /\bl10n\.t\(\s*(?:'((?:\\.|[^'\\])*)'|"((?:\\.|[^"\\])*)"|`((?:\\.|[^`\\])*)`)/g,
  );
  return [...calls].map(([, single, double, back]) =>
    (single ?? double ?? back ?? '').replace(/\\(.)/gs, (_, one) => (one === 'n' ? '\n' : one)),
  );
}

it('has every text of the code, and no other', () => {
  const code = readSources('src');
  const bundle = Object.keys(read('l10n/bundle.l10n.json'));
  expect([...new Set(textsOf(code))].sort()).toEqual(bundle.sort());
});

it('has its texts asked for by the one name that their collector knows', () => {
  const call = /\bl10n\.t\((?!\s*['"`])|\bt\b[^=;\n]*\} = (?:vscode\.)?l10n\b/;
  expect(call.exec(readSources('src'))?.[0]).toBeUndefined();
  expect(['const { t } = vscode.l10n;', 'l10n.t(text)'].every((code) => call.test(code))).toBe(
    true,
  );
});

it('finds what is missing, stale or broken', () => {
  const english = { 'Stop {0}': 'Stop {0}', Start: 'Start', 'Run `npx`': 'Run `npx`', Ok: 'Ok' };
  const german = { 'Stop {0}': 'Anhalten', 'Run `npx`': '`npm` ausführen', Ok: 'OK', Old: 'Alt' };
  expect(faults(english, german)).toEqual([
    'has no German: Start',
    'is no text of ours any more: Old',
    'loses a placeholder, code, an icon or a line: Stop {0}',
    'loses a placeholder, code, an icon or a line: Run `npx`',
  ]);
});

/** One word for one thing, and none that a reader has to turn over. */
const outWords =
  /\b(?:shall|stands?|of it|whatever|nobody|anew|consent\w*|agree\w*|withdr\w+|yours|declar\w+|lend|lent|hand(?:ed|s)? (?:over|to)|take back|held by|timeline|switch(?:ed|es)? (?:\w+ )?(?:on|off)|failing|global)\b/i;

it('uses the words of the product alone', () => {
  const texts = sources.flatMap(([, english]) => Object.values(read(english)));
  expect(texts.filter((text) => outWords.test(text))).toEqual([]);
  expect(
    ['It waits for your consent.', 'Global', 'Server is switched off'].every((text) =>
      outWords.test(text),
    ),
  ).toBe(true);
});

/** Words that were longer, or said less, than those that took their place. */
const replacedWords = [
  'Asked because',
  'This is started',
  'Allow for This Session',
  'Edit Arguments',
  'Claimed by the server',
  'tool calls wait for you',
  'It ran because',
  'There is nothing to allow in advance',
  'What next',
  'Summarized to make room',
  'Go Back to Before It',
  'The context is nearly full',
  'Never by Itself',
  'Not covered: changes',
  'No change of Pi waits',
  'No message waits',
  'It went on at try',
  'trouble of its own',
  'did not accept the login',
  'The restore is decided first',
  'Redo would replace it',
  'Others changed these lines',
  'you have not kept',
  'Conversation without a request',
  'as it had no more time',
  'How Much This Model Thinks',
  'Nothing was said yet',
  'Left Behind',
  'Started Twice',
  'Look Again',
  'What was tried',
  'End Them',
  'No longer what was shown',
  'What Pi MCP knows',
  'fail or wait for you',
  'run on although',
  'the login shell adds nothing',
  'Tick what',
  'cost is known once',
  'tool here fits',
  'leaves every tool out',
  'Profile of the Tools',
  'patterns without a tool',
  'Nothing of it runs',
  'covers nothing',
  'It says again and again',
  'at the top of a configuration file',
  'will be fetched when',
  'account refused',
  'withstands being killed',
  'Nobody came back',
  'something that is no',
  'runs whatever version',
  'Something must be',
  'with a version if it',
  'no place on the disk',
  'answered after',
  'Not taken as it is',
  'In Sight',
  'what they let run',
  'The last that it wrote',
  'Manage Token',
] as const;

it('has none of the words that were replaced', () => {
  const [[, english]] = sources;
  const texts = Object.values(read(english));
  expect(replacedWords.filter((words) => texts.some((text) => text.includes(words)))).toEqual([]);
});

/** Every text of ours is there in German, and none that is not ours. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

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

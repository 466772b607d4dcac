/** What documents call by name is there: settings, commands, options, and labels of the product and of VS Code. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import bundle from '../../../l10n/bundle.l10n.json';
import manifest from '../../../package.json';
import nls from '../../../package.nls.json';
import { panelCommands } from '../../../src/agent/panel/commands/table.js';
import { isCommand } from '../../../src/cli/options/commandTable.js';
import { optionNamed } from '../../../src/cli/options/optionTable.js';
import { pages } from '../../helpers/documents/markdown.js';

/** Of VS Code itself, of a browser and of other programs. */
const foreignLabels: readonly string[] = [
  'Extensions: Install from VSIX…',
  'Report a vulnerability',
  'Start',
];

const strings = [...Object.values(nls), ...Object.keys(bundle)].flatMap((text) => {
  const shown = text.replaceAll(/\$\([\w~-]+\) ?/g, '').trim();
  // a document leaves out what is filled in at either end
  return [shown, shown.replaceAll(/^\{\d\} |:? \{\d\}$/g, '')];
});
const titles = manifest.contributes.commands.map(
  ({ title }) => `Pi MCP: ${(nls as Readonly<Record<string, string>>)[title.slice(1, -1)]}`,
);
const labels = new Set([...strings, ...titles, ...foreignLabels]);

/** In `code` and in blocks of it. */
function codeOf(text: string): readonly string[] {
  const blocks = [...text.matchAll(/^```\w*\n([\s\S]*?)^```$/gm)].flatMap(([, body = '']) =>
    body.split('\n'),
  );
  const spans = text.replaceAll(/^```[\s\S]*?^```$/gm, '').matchAll(/`([^`]+)`/g);
  return [...blocks, ...[...spans].map(([, code = '']) => code.replaceAll('\n', ' '))];
}

function unknownIds(text: string): readonly string[] {
  const known = JSON.stringify(manifest.contributes);
  const ids = [...text.matchAll(/\bpiMcp(?:\.\w+)+/g)].map(([id]) => id);
  return ids.filter((id) => !known.includes(`"${id}"`));
}

function unknownOptions(text: string): readonly string[] {
  return codeOf(text).flatMap((code) => {
    // what stands behind a lone -- is for another program
    const [, rest] = /^(?:.*\| )?pi-mcp (.*?)(?: -- .*| +#.*)?$/.exec(code.trim()) ?? [];
    const words = rest?.split(' ') ?? [];
    const [command = ''] = words;
    const isUnknown = /^[a-z]/.test(command) && !isCommand(command);
    const options = words.filter((word) => /^--?\w/.test(word));
    return [
      ...(isUnknown ? [command] : []),
      ...options.filter((word) => optionNamed(word) === undefined),
    ];
  });
}

function unknownSlashCommands(text: string): readonly string[] {
  const known = panelCommands.flatMap(({ words }) => words);
  return codeOf(text).flatMap((code) => {
    const [, word] = /^\/([a-z]+)(?: [a-z]+)?$/.exec(code) ?? [];
    return word === undefined || known.includes(word) ? [] : [code];
  });
}

function unknownLabels(text: string): readonly string[] {
  const prose = text
    .replaceAll(/^<!-- comparison -->[\s\S]*<!-- end of comparison -->$/gm, '')
    .replaceAll(/^```[\s\S]*?^```$/gm, '')
    .replaceAll(/`[^`]*`/g, '`');
  return [...prose.matchAll(/(?<![*\w])\*([^*\s](?:[^*]*[^*\s])?)\*(?!\*)/g)]
    .map(([, label = '']) => label.replaceAll(/\s+/g, ' '))
    .filter((label) => !label.includes('`') && !labels.has(label));
}

it.each(pages)('%s names only what there is', (page) => {
  const text = readFileSync(page, 'utf8');
  expect(unknownIds(text)).toEqual([]);
  expect(unknownOptions(text)).toEqual([]);
  expect(unknownSlashCommands(text)).toEqual([]);
  expect(unknownLabels(text)).toEqual([]);
});

it('finds what is not there', () => {
  expect(unknownIds('`piMcp.agent.yolo`, `piMcp.agent.yoyo`')).toEqual(['piMcp.agent.yoyo']);
  expect(unknownOptions('```sh\npi-mcp list --jsin # x\n```\n`pi-mcp lost`, `npx x --y`')).toEqual([
    '--jsin',
    'lost',
  ]);
  expect(unknownSlashCommands('`/help`, `/tools list`, `/halp`')).toEqual(['/halp']);
  expect(unknownLabels('**bold**, *Run Tool…*, *Ran\nTool…*, 2 * 3 * 4')).toEqual(['Ran Tool…']);
});

it('has the two commands in the README, the second of which is what is run for every change', () => {
  const readme = readFileSync('README.md', 'utf8');
  const [, block = ''] = /```sh\n(npm start[\s\S]*?)```/.exec(readme) ?? [];
  const named = block
    .trim()
    .split('\n')
    .map((line) => line.split(/ {2,}#/)[0]?.trim());
  expect(named).toEqual(['npm start', 'npm test']);
  expect(readFileSync('.ci/run', 'utf8')).toMatch(/\bnpm test\b/);
});

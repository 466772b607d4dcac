/** What the README says of the commands of the agent view is what their table says. */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { listCommands } from '../../../../src/agent/panel/commands/answers.js';
import { panelCommands } from '../../../../src/agent/panel/commands/table.js';

const [start, end] = ['<!-- commands of the agent view -->\n', '<!-- end of commands -->'];

function table(): string {
  const rows = listCommands(panelCommands).map(({ command, usage, others, text, isForIdle }) => {
    const typed = [usage === '' ? command : `${command} ${usage}`, ...others];
    const when = isForIdle ? '; not during a run' : '';
    return `| ${typed.map((one) => `\`${one}\``).join(', ')} | ${text}${when} |`;
  });
  return ['| typed | what it does |', '| --- | --- |', ...rows].join('\n');
}

it('stands in the README', () => {
  const readme = readFileSync('README.md', 'utf8');
  const [from, to] = [readme.indexOf(start), readme.indexOf(end)];
  expect(from).toBeGreaterThan(0);
  const expected = `${readme.slice(0, from)}${start}\n${table()}\n\n${readme.slice(to)}`;
  if (process.env.UPDATE_GOLDEN) {
    writeFileSync('README.md', expected);
  }
  expect(readFileSync('README.md', 'utf8')).toBe(expected);
});

it('gives no word to two commands', () => {
  for (const commands of [panelCommands, ...panelCommands.map((one) => one.subcommands ?? [])]) {
    const words = commands.flatMap((one) => one.words);
    expect(new Set(words).size).toBe(words.length);
  }
});

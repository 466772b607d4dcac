/** What the documents say of the commands of the agent view is what their table says. */
import { expect, it } from 'vitest';
import { listCommands } from '../../../../src/agent/panel/commands/answers.js';
import { panelCommands } from '../../../../src/agent/panel/commands/table.js';
import { expectSection, markdownTable } from '../../../helpers/documents/sections.js';

function table(): string {
  const rows = listCommands(panelCommands).map(({ command, usage, others, text, isForIdle }) => {
    const typed = [usage === '' ? command : `${command} ${usage}`, ...others];
    const when = isForIdle ? '; not during a run' : '';
    return [typed.map((one) => `\`${one}\``).join(', '), `${text}${when}`];
  });
  return markdownTable(['typed', 'what it does'], rows);
}

it('stands in the page about the agent (UPDATE_GOLDEN=1 rewrites it)', () => {
  expectSection('docs/agent.md', 'commands of the agent view', table());
});

it('gives no word to two commands', () => {
  for (const commands of [panelCommands, ...panelCommands.map((one) => one.subcommands ?? [])]) {
    const words = commands.flatMap((one) => one.words);
    expect(new Set(words).size).toBe(words.length);
  }
});

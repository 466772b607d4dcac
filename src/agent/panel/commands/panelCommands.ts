/** Reads what a message begins with, and runs it when it is a command. */
import * as l10n from '@vscode/l10n';
import { isCancellationError } from '../../../base/async/cancellation.js';
import { isHumanError, messageWithRemedy } from '../../../base/errors.js';
import { type CommandLine, readCommandLine } from '../../../base/text/commandLine.js';
import { nearest } from '../../../base/text/nearest.js';
import type { CommandOutcome, SlashCommandView } from '../../../protocol/agentProtocol.js';
import type { PiWord } from '../../pi/controls.js';
import { runUnderWay } from '../../session/piMessages.js';
import { type CommandParts, CommandRefused, type PanelCommand } from './panelCommand.js';
import { panelCommands } from './table.js';

export class PanelCommands {
  constructor(private readonly parts: CommandParts) {}

  /** Commands, and what Pi itself knows by a word. */
  get views(): readonly SlashCommandView[] {
    const own = viewsOf(panelCommands, this.parts);
    const taken = new Set(own.map(({ command }) => command));
    return [...own, ...this.words.map(wordView).filter(({ command }) => !taken.has(command))];
  }

  /**
   * @param others commands of other kinds, such as `/server:prompt`
   * @throws what the work of the command rejects with.
   */
  async run(text: string, others: readonly string[]): Promise<CommandOutcome> {
    const line = readCommandLine(text);
    if (line) {
      return await this.runLine(line);
    }
    const read = readWord(text);
    if (!read || others.some((command) => isCommand(text, command))) {
      return { kind: 'text' };
    }
    // it may start again, for extensions of Pi that the user just agreed to
    await this.parts.panel.whenStarted();
    const found = findCommand(panelCommands, read.word);
    const isOfUser = this.words.some(({ name }) => name === read.word);
    // a second word of ours gives way to a prompt or skill of that name
    if (isOfUser && found?.words[0] !== read.word) {
      return { kind: 'text' };
    }
    if (!found) {
      return this.unknown(read.word, others);
    }
    try {
      return await this.execute(found, `/${read.word}`, read.rest);
    } catch (error) {
      if (isCancellationError(error)) {
        return { kind: 'done' };
      }
      if (error instanceof CommandRefused) {
        const near = error.near.map((one) => (one.startsWith('/') ? one : `/${read.word} ${one}`));
        return refused(error.message, near);
      }
      throw error;
    }
  }

  private async runLine({ command, isPrivate }: CommandLine): Promise<CommandOutcome> {
    if (command === '') {
      return refused(l10n.t('{0} needs something after it.', '!'));
    }
    try {
      await this.parts.panel.runForUser(command, isPrivate);
      return { kind: 'done' };
    } catch (error) {
      if (isHumanError(error)) {
        return refused(messageWithRemedy(error), [], true);
      }
      throw error;
    }
  }

  private get words(): readonly PiWord[] {
    return this.parts.panel.shown?.controls.words ?? [];
  }

  private async execute(
    command: PanelCommand,
    lead: string,
    rest: string,
  ): Promise<CommandOutcome> {
    const { subcommands = [] } = command;
    if (subcommands.length > 0 && rest !== '') {
      const [, word = '', below = ''] = /^(\S+)\s*([\s\S]*)$/.exec(rest) ?? [];
      const next = findCommand(subcommands, word);
      return next
        ? await this.execute(next, `${lead} ${word}`, below)
        : refused(
            l10n.t('{0} does not know "{1}".', lead, word),
            nearest(
              word,
              subcommands.map(({ words: [name] }) => name),
            ).map((name) => `${lead} ${name}`),
          );
    }
    if (!command.argument && rest !== '') {
      return refused(l10n.t('{0} takes nothing after it.', lead), [lead], true);
    }
    if (command.isForIdle && this.parts.panel.snapshot().state.status === 'running') {
      return refused(messageWithRemedy(runUnderWay()));
    }
    const result = await command.run(this.parts, rest);
    if (result && 'opens' in result) {
      return { kind: 'done', opens: result.opens };
    }
    return { kind: 'done', answer: result };
  }

  private unknown(word: string, others: readonly string[]): CommandOutcome {
    const known = [
      ...panelCommands.flatMap(({ words }) => words),
      ...this.words.map(({ name }) => name),
      ...others.map((command) => command.slice(1)),
    ];
    const near = nearest(word, [...new Set(known)]).map((name) => `/${name}`);
    return refused(l10n.t('{0} does not know "{1}".', 'Pi', `/${word}`), near, true);
  }
}

/** A word after a slash, and what follows. A path, a comment or a pattern begins with none. */
function readWord(text: string): { readonly word: string; readonly rest: string } | undefined {
  const [, word, rest = ''] = /^\/([a-z][\w:.-]*)(?:\s+([\s\S]*))?$/i.exec(text.trim()) ?? [];
  return word === undefined ? undefined : { word, rest: rest.trim() };
}

function isCommand(text: string, command: string): boolean {
  return text === command || (text.startsWith(command) && /^\s/.test(text.slice(command.length)));
}

function findCommand(commands: readonly PanelCommand[], word: string): PanelCommand | undefined {
  return commands.find(({ words }) => words.includes(word.toLowerCase()));
}

function refused(text: string, near: readonly string[] = [], mayBeText = false): CommandOutcome {
  return { kind: 'refused', text, near, mayBeText };
}

function viewsOf(
  commands: readonly PanelCommand[],
  parts: CommandParts,
  parent?: string,
): readonly SlashCommandView[] {
  return commands.flatMap((one): readonly SlashCommandView[] => {
    const { words, argument, subcommands = [] } = one;
    const command = `${parent === undefined ? '/' : `${parent} `}${words[0]}`;
    const values = argument?.values?.(parts) ?? [];
    return [
      {
        command,
        description: one.describe(),
        arguments: argument ? [`${argument.name}?`] : [],
        parent,
      },
      ...viewsOf(subcommands, parts, command),
      ...values.map(({ value, description }) => ({
        command: `${command} ${value}`,
        description,
        arguments: [],
        parent: command,
      })),
    ];
  });
}

function wordView({ name, description, argumentHint }: PiWord): SlashCommandView {
  return {
    command: `/${name}`,
    description,
    arguments: argumentHint === undefined ? [] : [argumentHint],
  };
}

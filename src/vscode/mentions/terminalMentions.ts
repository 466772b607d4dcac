/** What the last commands of the terminals wrote. Only those are known whose beginning and end the shell told the editor. */
import { stripVTControlCharacters } from 'node:util';
import * as vscode from 'vscode';
import { DisposableOwner } from '../../base/disposable.js';
import { type Mention, mention } from './mention.js';

/** Characters of an output; its end is kept. */
const maxOutput = 60_000;
const maxTerminals = 5;
/** Characters of a command that the chip shows. */
const maxCommand = 60;

interface Command {
  readonly line: string;
  output: string;
  exitCode: number | undefined;
  isRunning: boolean;
}

export class TerminalMentions extends DisposableOwner {
  private readonly last = new Map<vscode.Terminal, Command>();

  constructor() {
    super();
    const { window } = vscode;
    this.store.add(
      window.onDidStartTerminalShellExecution(({ terminal, execution }) => {
        void this.follow(terminal, execution).catch(() => undefined);
      }),
    );
    this.store.add(
      window.onDidEndTerminalShellExecution(({ terminal, execution, exitCode }) => {
        const command = this.last.get(terminal);
        if (command?.line === execution.commandLine.value) {
          command.exitCode = exitCode;
          command.isRunning = false;
        }
      }),
    );
    this.store.add(window.onDidCloseTerminal((terminal) => this.last.delete(terminal)));
  }

  /** The latest first. */
  mentions(): readonly Mention[] {
    return [...this.last]
      .reverse()
      .map(([terminal, command]) => terminalMention(terminal, command));
  }

  private async follow(
    terminal: vscode.Terminal,
    execution: vscode.TerminalShellExecution,
  ): Promise<void> {
    const line = execution.commandLine.value;
    const command: Command = { line, output: '', exitCode: undefined, isRunning: true };
    this.last.delete(terminal);
    this.last.set(terminal, command);
    for (const oldest of [...this.last.keys()].slice(0, -maxTerminals)) {
      this.last.delete(oldest);
    }
    for await (const data of execution.read()) {
      command.output = (command.output + data).slice(-maxOutput);
    }
  }
}

function terminalMention({ name }: vscode.Terminal, command: Command): Mention {
  const { line, exitCode, isRunning } = command;
  const short = line.replaceAll(/\s+/g, ' ').trim().slice(0, maxCommand);
  const end = isRunning
    ? vscode.l10n.t('running')
    : exitCode === undefined
      ? ''
      : vscode.l10n.t('Exit code {0}', exitCode);
  return mention(
    {
      kind: 'terminal',
      label: vscode.l10n.t('{0}: {1}', vscode.l10n.t('Terminal'), short),
      detail: [name, end].filter(Boolean).join(', '),
      word: 'terminal',
      attach: async () => {
        const status = exitCode === undefined ? '' : `\n[exit code ${exitCode}]`;
        const text = `$ ${line}\n${plainOutput(command.output)}${status}`;
        return [{ kind: 'text', what: 'terminal', name: short, text }];
      },
    },
    'terminal',
  );
}

/** What the user sees of it: without colours, and of a line that was written over the last writing. */
function plainOutput(output: string): string {
  return stripVTControlCharacters(output)
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => line.slice(line.lastIndexOf('\r', line.length - 2) + 1).trimEnd())
    .join('\n')
    .trim();
}

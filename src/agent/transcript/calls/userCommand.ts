/** What the user ran by themselves, here or in Pi's terminal, as a call in the transcript. */
import { asString, type JsonObject } from '../../../base/json.js';
import { showHidden } from '../../../base/text/showHidden.js';
import type { TranscriptEntry } from '../../../protocol/agentProtocol.js';
import { append, entryOf, nextEntryId, type Transcript, updateEntry } from '../entries.js';

export interface UserCommand {
  readonly command: string;
  /** The model does not get it. */
  readonly isPrivate: boolean;
  /** While it runs, what it gave out so far. */
  readonly output: string;
  /** Absent while it runs. */
  readonly end?: CommandEnd;
}

export interface CommandEnd {
  /** Absent where none is known. */
  readonly exitCode?: number | undefined;
  readonly isStopped: boolean;
  /** The output is the last part of it. */
  readonly isCut: boolean;
  /** Absolute path of a file that has all of it. */
  readonly fullOutput?: string | undefined;
}

/** Begins, is at, or ends: at most one runs. */
export type UserCommandInput = { readonly type: 'user_command' } & UserCommand;

/** Role of the messages in which Pi keeps what the user ran. */
export const commandRole = 'bashExecution';

/** @param message of {@link commandRole} */
export function readUserCommand(message: JsonObject): UserCommand & { readonly end: CommandEnd } {
  const { command, output, exitCode, fullOutputPath } = message;
  return {
    command: asString(command) ?? '',
    isPrivate: message.excludeFromContext === true,
    output: asString(output) ?? '',
    end: {
      exitCode: typeof exitCode === 'number' ? exitCode : undefined,
      isStopped: message.cancelled === true,
      isCut: message.truncated === true,
      fullOutput: asString(fullOutputPath),
    },
  };
}

export function showUserCommand(transcript: Transcript, input: UserCommandInput): Transcript {
  const { commandId: id } = transcript;
  const entry = entryFor(input);
  const commandId = input.end ? undefined : (id ?? nextEntryId(transcript));
  const next =
    id === undefined
      ? append(transcript, entry)
      : updateEntry(transcript, id, () => ({ ...entry, id }));
  return { ...next, commandId };
}

/** What runs goes on in another branch. */
export function keepUserCommand(before: Transcript, after: Transcript): Transcript {
  const entry = before.commandId === undefined ? undefined : entryOf(before, before.commandId);
  return entry ? { ...append(after, entry), commandId: nextEntryId(after) } : after;
}

function entryFor({ command, isPrivate, output, end }: UserCommand) {
  const status = end ? (end.exitCode === 0 ? 'done' : 'failed') : 'running';
  return {
    kind: 'tool',
    tool: 'bash',
    byUser: { isPrivate },
    args: '',
    words: { kind: 'command', command: showHidden(command) },
    status,
    result: [{ kind: 'text', text: end ? endedText(output, end) : output }],
  } as const satisfies Omit<Extract<TranscriptEntry, { kind: 'tool' }>, 'id'>;
}

/** As Pi's own tool says it. */
function endedText(output: string, { exitCode, isStopped, isCut, fullOutput }: CommandEnd): string {
  const text = output.replace(/\n+$/, '');
  const known = exitCode === undefined ? undefined : `Command exited with code ${exitCode}`;
  const parts = [
    text === '' && exitCode === 0 ? '(no output)' : text,
    isCut ? `[Output truncated.${fullOutput ? ` Full output: ${fullOutput}` : ''}]` : '',
    isStopped ? 'Command aborted' : exitCode === 0 ? '' : (known ?? ''),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

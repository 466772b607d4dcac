/** Leaves results of tools out of what the model gets, before the conversation has to be summarized. Nothing is deleted. */
import { isJsonObject } from '../../base/json.js';
import type { PiMessage, PiModule, PiSession } from '../pi/piModule.js';
import type { LeftOutInput } from '../transcript/compaction.js';

/** Of the size at which the conversation is summarized. */
const pruneShare = 0.8;
/** Answers of the model at the end whose results stay. */
const keptTurns = 3;
/** Tokens up to which a result is worth no gap. */
const smallResult = 400;
/** Arguments that say what a result was of. */
const subjects = ['path', 'command', 'pattern', 'query'];

type ToolResult = Extract<PiMessage, { role: 'toolResult' }>;

export class Pruning {
  /** Results that the user wants the model to have. */
  private readonly kept = new Set</* entry id */ string>();

  constructor(
    private readonly pi: Pick<PiModule, 'estimateTokens'>,
    private readonly session: () => PiSession | undefined,
    private readonly show: (input: LeftOutInput) => void,
  ) {}

  /** After a turn, before Pi looks whether to summarize. */
  prune(): void {
    const session = this.session();
    const { tokens, contextWindow = 0 } = session?.getContextUsage() ?? {};
    if (!session?.model || !tokens) {
      return;
    }
    const settings = session.settingsManager.getCompactionSettings(session.model);
    const trigger = contextWindow - settings.reserveTokens;
    if (!settings.enabled || tokens <= pruneShare * trigger) {
      return;
    }
    const old = this.resultsTooMany(session, tokens - trigger);
    for (const { id, message } of old) {
      const content = `[Result of ${subjectOf(session, message)} left out to save room. Read it again if needed.]`;
      session.sessionManager.appendContextEdit(id, { content });
    }
    if (old.length > 0) {
      const sum = old.reduce((all, one) => all + one.tokens, 0);
      this.show({ type: 'left_out', ids: old.map(({ id }) => id), tokens: sum });
    }
  }

  /** The model gets these results again, whatever room they take. */
  giveBack(ids: readonly string[]): void {
    const manager = this.session()?.sessionManager;
    const branch = new Set(manager?.getBranch().map(({ id }) => id));
    for (const id of ids) {
      const entry = branch.has(id) ? manager?.getEntry(id) : undefined;
      if (entry?.type === 'message' && entry.message.role === 'toolResult') {
        this.kept.add(id);
        manager?.appendContextEdit(id, { content: entry.message.content });
      }
    }
  }

  /**
   * The old ones, and of the latest, from the first on, the tokens `beyond` the trigger: one answer may call many tools.
   * What went wrong last and the plan stay.
   */
  private resultsTooMany({ sessionManager }: PiSession, beyond: number) {
    const { estimateTokens } = this.pi;
    const { entries } = sessionManager.buildSessionProjection();
    const answers = entries.flatMap(({ messages }, at) =>
      messages.some(({ role }) => role === 'assistant') ? [at] : [],
    );
    const end = answers.at(-keptTurns) ?? 0;
    const lastFailure = entries.findLast(({ messages }) => isFailure(messages[0]));
    let excess = beyond;
    return entries.flatMap((entry, at) => {
      const { id } = entry.sourceEntry;
      const [message] = entry.messages;
      const tokens = message?.role === 'toolResult' ? estimateTokens(message) : 0;
      const isLeft =
        message?.role === 'toolResult' &&
        (at < end || (excess > 0 && entry !== entries.at(-1))) &&
        tokens > smallResult &&
        entry !== lastFailure &&
        !this.kept.has(id) &&
        message.toolName !== 'todo';
      excess -= isLeft ? tokens : 0;
      return isLeft ? [{ id, message, tokens }] : [];
    });
  }
}

function isFailure(message: PiMessage | undefined): boolean {
  return message?.role === 'toolResult' && message.isError;
}

/** Such as `read docs/page1.md`, for the model. */
function subjectOf({ sessionManager }: PiSession, { toolName, toolCallId }: ToolResult): string {
  for (const { messages } of sessionManager.buildSessionProjection().entries) {
    for (const message of messages) {
      const call =
        message.role === 'assistant' &&
        message.content.find((block) => block.type === 'toolCall' && block.id === toolCallId);
      if (call && call.type === 'toolCall') {
        const args: unknown = call.arguments;
        const texts = subjects.map((name) => (isJsonObject(args) ? args[name] : undefined));
        const subject = texts.find((text) => typeof text === 'string');
        return typeof subject === 'string' ? `${toolName} ${subject.slice(0, 200)}` : toolName;
      }
    }
  }
  return toolName;
}

/** What the context of a conversation is made of, in estimated tokens. Pure. */
import * as l10n from '@vscode/l10n';
import { asObject } from '../../base/json.js';
import { nameToken, quotedName } from '../../base/text/nameToken.js';
import { showHidden } from '../../base/text/showHidden.js';
import { guessTokens } from '../../mcp/catalog/tokens/tokenEstimate.js';
import {
  type ContextItem,
  type ContextKind,
  type ContextPart,
  contextKinds,
} from '../../protocol/context.js';
import type { PiMessage } from '../pi/piModule.js';
import { contentText } from '../transcript/content.js';
import { readUserMessage } from '../transcript/userMessage.js';

export interface PromptShare {
  readonly name: string;
  readonly text: string;
}

export interface ContextContent {
  readonly systemPrompt: string;
  /** Files and servers that say how to work; some of it stands in the system prompt. */
  readonly instructions: readonly PromptShare[];
  /** Definitions that the next request carries. */
  readonly tools: readonly { readonly group: string; readonly tokens: number }[];
  /** Those that the model gets, summaries included. */
  readonly messages: readonly PiMessage[];
}

/** Items of a part beyond which the smallest become one. */
const maxItems = 12;

/**
 * @param estimate Pi's own estimate of the tokens of a message
 * @param total what all parts together are scaled to; default: the estimates stay
 */
export function breakDown(
  content: ContextContent,
  estimate: (message: PiMessage) => number,
  total?: number,
): readonly ContextPart[] {
  const sums = new Sums();
  const { systemPrompt, instructions, tools, messages } = content;
  let system = guessTokens(systemPrompt);
  for (const { name, text } of instructions) {
    sums.add('instructions', name, guessTokens(text));
    system -= systemPrompt.includes(text) ? guessTokens(text) : 0;
  }
  sums.add('system', '', Math.max(0, system));
  for (const { group, tokens } of tools) {
    sums.add('tools', group, tokens);
  }
  for (const message of messages) {
    addMessage(sums, message, estimate);
  }
  return sums.parts(total);
}

function addMessage(
  sums: Sums,
  message: PiMessage,
  estimate: (message: PiMessage) => number,
): void {
  const tokens = estimate(message);
  switch (message.role) {
    case 'user': {
      const { attached, images } = readUserMessage(message.content);
      const ofText = attached === '' ? 0 : guessTokens(attached);
      const text = guessTokens(contentText(message.content));
      sums.add('attachments', l10n.t('Files and resources'), ofText);
      sums.add('attachments', l10n.t('Images'), images.length > 0 ? Math.max(0, tokens - text) : 0);
      sums.add('conversation', l10n.t('You'), Math.max(0, text - ofText));
      break;
    }
    case 'assistant':
      sums.add('conversation', l10n.t('Pi'), tokens);
      break;
    case 'toolResult':
      sums.add('conversation', resultName(message), tokens);
      break;
    case 'compactionSummary':
    case 'branchSummary':
      sums.add('summary', '', tokens);
      break;
    case 'system':
      // the prompt and the tools that it declares are counted as they are now
      break;
    default:
      sums.add('conversation', l10n.t('Other'), tokens);
  }
}

function resultName({ toolName, details }: Extract<PiMessage, { role: 'toolResult' }>): string {
  const { server, tool } = asObject(details);
  return typeof server === 'string' && typeof tool === 'string'
    ? l10n.t('Results of {0}', l10n.t('{0}: {1}', quotedName(server), nameToken(tool)))
    : l10n.t('Results of {0}', nameToken(toolName));
}

class Sums {
  private readonly byKind = new Map<ContextKind, Map</* name */ string, number>>();

  add(kind: ContextKind, name: string, tokens: number): void {
    if (tokens > 0) {
      // servers and files are called as others like
      const shown = showHidden(name);
      const items = this.byKind.get(kind) ?? new Map<string, number>();
      items.set(shown, (items.get(shown) ?? 0) + tokens);
      this.byKind.set(kind, items);
    }
  }

  parts(total: number | undefined): readonly ContextPart[] {
    const all = [...this.byKind.values()].flatMap((items) => [...items.values()]);
    const sum = all.reduce((one, other) => one + other, 0);
    const scale = total === undefined || sum === 0 ? 1 : total / sum;
    return contextKinds.flatMap((kind) => {
      const items = this.byKind.get(kind);
      return items ? [partOf(kind, items, scale)] : [];
    });
  }
}

function partOf(kind: ContextKind, sums: ReadonlyMap<string, number>, scale: number): ContextPart {
  const items = [...sums]
    .map(([name, tokens]): ContextItem => ({ name, tokens: Math.round(tokens * scale) }))
    .sort((one, other) => other.tokens - one.tokens);
  const tokens = sumOf(items);
  const isPlain = items.length === 1 && items[0]?.name === '';
  return { kind, tokens, items: isPlain ? [] : shorten(items) };
}

function shorten(items: readonly ContextItem[]): readonly ContextItem[] {
  if (items.length <= maxItems) {
    return items;
  }
  const rest = items.slice(maxItems - 1);
  const name = l10n.t('{0} more', rest.length);
  return [...items.slice(0, maxItems - 1), { name, tokens: sumOf(rest) }];
}

export function sumOf(items: readonly Pick<ContextItem, 'tokens'>[]): number {
  return items.reduce((sum, { tokens }) => sum + tokens, 0);
}

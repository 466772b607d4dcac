/** A conversation to be read elsewhere: as Markdown, as JSON, and as one text to search in. */
import * as l10n from '@vscode/l10n';
import type { JsonObject } from '../../base/json.js';
import { nameToken } from '../../base/text/nameToken.js';
import { fence } from '../../base/text/plainText.js';
import type { ConversationPart, StoredConversation } from './storedConversation.js';

/** Characters of one conversation that a search looks through. */
const maxSearchLength = 1024 * 1024;

export interface ConversationHeading {
  readonly title: string;
  /** Of the workspace; absent for a window without folders. */
  readonly folder: string | undefined;
}

export function conversationMarkdown(
  { title, folder }: ConversationHeading,
  { parts }: StoredConversation,
): string {
  const begun = parts[0]?.at.slice(0, 10);
  const facts = [
    ...(folder === undefined ? [] : [l10n.t('{0}: {1}', l10n.t('Folder'), inline(folder))]),
    ...(begun ? [begun] : []),
  ];
  const blocks = [
    `# ${inline(title)}`,
    ...(facts.length > 0 ? [facts.map((fact) => `* ${fact}`).join('\n')] : []),
    ...parts.flatMap(partMarkdown),
  ];
  return `${blocks.join('\n\n')}\n`;
}

/** What programs read; they rely on its shape. */
export function conversationDocument(
  { title, folder }: ConversationHeading,
  { parts }: StoredConversation,
): JsonObject {
  return { title, ...(folder !== undefined && { folder }), messages: parts };
}

/** All words of a conversation, in one line. */
export function searchableText({ parts }: StoredConversation): string {
  let text = '';
  for (const part of parts) {
    if (text.length >= maxSearchLength) {
      break;
    }
    text += `${wordsOf(part).replace(/\s+/g, ' ')} `;
  }
  return text.slice(0, maxSearchLength);
}

function partMarkdown(part: ConversationPart): readonly string[] {
  switch (part.kind) {
    case 'request':
      return [
        `## ${l10n.t('You')}`,
        part.text,
        ...(part.attachments.length > 0
          ? [l10n.t('{0}: {1}', l10n.t('Attached'), part.attachments.map(inline).join(', '))]
          : []),
      ];
    case 'answer':
      return [`## Pi${part.model === '' ? '' : ` (${inline(part.model)})`}`, part.text];
    case 'summary':
      return [`## ${l10n.t('Summary')}`, part.text];
    case 'call':
      return callMarkdown(part);
    case 'command':
      return commandMarkdown(part);
  }
}

function callMarkdown(part: Extract<ConversationPart, { kind: 'call' }>): readonly string[] {
  const { tool, args, result, isError } = part;
  return [
    `### ${l10n.t('{0}: {1}', l10n.t('Tool'), inline(nameToken(tool)))}${isError ? ` (${l10n.t('failed')})` : ''}`,
    fence(JSON.stringify(args ?? {}, undefined, 2), 'json'),
    ...(result === undefined ? [l10n.t('No answer')] : [fence(result, 'text')]),
  ];
}

function commandMarkdown(part: Extract<ConversationPart, { kind: 'command' }>): readonly string[] {
  const { command, output, exitCode, isStopped, isCut, fullOutput, isPrivate } = part;
  return [
    `## ${l10n.t('You ran a command')}${isPrivate ? ` (${l10n.t('only for you')})` : ''}`,
    fence(command, 'sh'),
    ...(output === '' ? [] : [fence(output.replace(/\n+$/, ''), 'text')]),
    ...(isStopped ? [l10n.t('Stopped')] : []),
    ...(exitCode === undefined ? [] : [l10n.t('Exit code {0}', exitCode)]),
    ...(isCut ? [`${l10n.t('The output was cut.')} ${inline(fullOutput ?? '')}`.trim()] : []),
  ];
}

function wordsOf(part: ConversationPart): string {
  switch (part.kind) {
    case 'call':
      return `${part.tool} ${JSON.stringify(part.args ?? {})}\n${part.result ?? ''}`;
    case 'command':
      return `${part.command}\n${part.output}`;
    default:
      return part.text;
  }
}

/** In one line, and no Markdown of its own. */
function inline(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_[\]<>#|]/g, String.raw`\$&`)
    .trim();
}

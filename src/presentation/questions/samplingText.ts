/** A sampling request and its answer in words. Plain Node; no `vscode`. */
import * as l10n from '@vscode/l10n';
import { isJsonObject, type JsonObject } from '../../base/json.js';
import { nameToken, quotedName } from '../../base/text/nameToken.js';
import { fence } from '../../base/text/plainText.js';
import type { SamplingRequest } from '../../mcp/connection/session/clientFeatures.js';

/** One row for each message, and what else decides about the request. */
export function requestRows(
  request: SamplingRequest,
): readonly { readonly label: string; readonly text: string }[] {
  const { systemPrompt, messages, tools, maxTokens } = request;
  return [
    ...(systemPrompt === undefined
      ? []
      : [{ label: l10n.t('System prompt'), text: shorten(systemPrompt) }]),
    ...messages.map(({ role, content }) => ({
      label: roleText(role),
      text: shorten(blocksText(content)),
    })),
    ...(tools.length > 0
      ? [
          {
            label: l10n.t('Tools'),
            text: shorten(tools.map(({ name }) => String(name)).join(', ')),
          },
        ]
      : []),
    { label: l10n.t('Limit'), text: l10n.t('{0} tokens', maxTokens) },
  ];
}

/** The whole request as Markdown. */
export function requestText(request: SamplingRequest): string {
  const { systemPrompt, messages, tools, maxTokens, temperature, stopSequences } = request;
  const facts = [
    l10n.t('At most {0} tokens', maxTokens),
    ...(temperature === undefined ? [] : [l10n.t('Temperature {0}', temperature)]),
    ...(stopSequences ? [l10n.t('Stops at {0}', JSON.stringify(stopSequences))] : []),
  ];
  return [
    ...facts.map((fact) => `* ${fact}`),
    ...(systemPrompt === undefined
      ? []
      : ['', `## ${l10n.t('System prompt')}`, '', fence(systemPrompt, 'text')]),
    ...messages.flatMap(({ role, content }) => [
      '',
      `## ${roleText(role)}`,
      '',
      fence(blocksText(content), 'text'),
    ]),
    ...tools.flatMap((tool) => [
      '',
      `## ${l10n.t('{0}: {1}', l10n.t('Tool'), nameToken(String(tool.name)))}`,
      '',
      fence(JSON.stringify(tool, undefined, 2), 'text'),
    ]),
  ].join('\n');
}

/** Text of one content block or several; what is no text is named. */
export function blocksText(content: unknown): string {
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content];
  return blocks.map((block) => (isJsonObject(block) ? blockText(block) : '')).join('\n');
}

function blockText(block: JsonObject): string {
  switch (block.type) {
    case 'text':
      return String(block.text);
    case 'image':
    case 'audio':
      return l10n.t('[{0}, {1}]', String(block.type), String(block.mimeType));
    case 'tool_use':
      return l10n.t(
        '[calls {0} with {1}]',
        quotedName(String(block.name)),
        JSON.stringify(block.input),
      );
    case 'tool_result':
      return l10n.t('[result of a tool] {0}', blocksText(block.content));
    default:
      return JSON.stringify(block);
  }
}

function roleText(role: unknown): string {
  return role === 'assistant' ? l10n.t('Assistant') : l10n.t('User');
}

/** Characters of one row; the whole is a document. */
const maxShown = 4_000;

function shorten(text: string): string {
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
}

/** A tool and the result of a call as the page shows them, within bounds. */
import * as l10n from '@vscode/l10n';
import { structuredView } from '../../agent/transcript/structuredView.js';
import { errorMessage, isHumanError } from '../../base/errors.js';
import { isJsonObject, type JsonObject } from '../../base/json.js';
import { resultForModel } from '../../mcp/catalog/modelCall.js';
import type { ResultAttachment } from '../../mcp/catalog/results/wholeResult.js';
import type { TokenCounter } from '../../mcp/catalog/tokens/tokenEstimate.js';
import type { McpServer } from '../../mcp/mcpApi.js';
import type { McpTool, McpToolResult } from '../../mcp/mcpTypes.js';
import type { RunOutcome, RunResultBlock, RunToolView } from '../../protocol/tools/runTool.js';
import { formatAge } from '../consent/formatAge.js';
import type { RunRecord } from './runHistory.js';

/** Characters of one block. */
const maxText = 50_000;
const maxBlocks = 100;
/** Characters of base64 of all images. */
const maxImages = 20_000_000;
const maxDescription = 4_000;

export function runToolView(
  { server, tool }: { readonly server: McpServer; readonly tool: McpTool },
  history: readonly RunRecord[],
  now: { readonly ms: number; readonly language: string } & Pick<RunToolView, 'hasGateway'>,
): RunToolView {
  const { title, description, taskSupport } = tool;
  const { hasGateway } = now;
  const warning = warningOf(tool);
  return {
    name: tool.name,
    title,
    description: description?.trim().slice(0, maxDescription),
    inputSchema: tool.inputSchema,
    task: taskSupport,
    warning,
    timeoutMs: server.definition.options.requestTimeoutMs,
    hasGateway,
    history: history.map(({ id, end, ms, at, args, lacksSecrets }) => ({
      id,
      outcome: end,
      ms,
      when: formatAge(Math.max(0, now.ms - Date.parse(at)), now.language),
      args,
      lacksSecrets,
    })),
  };
}

/** One click runs it: who clicks has to know before. */
function warningOf({ annotations }: McpTool): string | undefined {
  if (annotations?.readOnlyHint === true) {
    return undefined;
  }
  return annotations?.destructiveHint === true
    ? l10n.t('The server says that this tool may destroy something. It runs without a question.')
    : l10n.t('The tool may change something. It runs without a question.');
}

export async function outcomeOf(
  result: McpToolResult,
  server: McpServer,
  {
    ms,
    settings,
    countTokens,
  }: { readonly ms: number; readonly settings: JsonObject; readonly countTokens: TokenCounter },
): Promise<RunOutcome> {
  const { content } = await resultForModel(result, server, settings, countTokens);
  const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  const structured = structuredView(result);
  const { mismatch } = result;
  return {
    end: result.isError ? 'failed' : 'done',
    ms,
    tokens: countTokens(texts.join('\n')),
    structured,
    mismatch: mismatch !== undefined && !structured ? mismatch : undefined,
    blocks: readBlocks(result).blocks,
  };
}

export function failedOutcome(error: unknown, ms: number): RunOutcome {
  return {
    end: 'error',
    ms,
    message: errorMessage(error),
    remedy: isHumanError(error) && error.remedy !== undefined ? error.remedy : undefined,
    blocks: [],
  };
}

/** Every block of a result, or words for what is left out, and the files that blocks name by their index. */
export function readBlocks({ content }: McpToolResult): {
  readonly blocks: readonly RunResultBlock[];
  readonly files: readonly ResultAttachment[];
} {
  const files: ResultAttachment[] = [];
  let images = 0;
  const blocks = content.slice(0, maxBlocks).map((block): RunResultBlock => {
    const { type, data, mimeType } = block;
    if (type === 'image' && isPicture(data, mimeType) && images + data.length <= maxImages) {
      images += data.length;
      return { kind: 'image', source: `data:${mimeType};base64,${data}` };
    }
    const file = fileOf(block);
    if (file) {
      files.push(file);
      const size = Math.floor((file.data.length * 3) / 4);
      return { kind: 'file', mimeType: file.mimeType, size, file: files.length - 1 };
    }
    return wordsOf(block);
  });
  const omitted = content.length - blocks.length;
  return {
    blocks:
      omitted > 0
        ? [...blocks, textBlock(l10n.t('{0} more parts are in the whole result.', omitted))]
        : blocks,
    files,
  };
}

function wordsOf(block: JsonObject): RunResultBlock {
  const { type, resource } = block;
  if (type === 'text') {
    return textBlock(String(block.text ?? ''));
  }
  if (type === 'resource_link') {
    const uri = String(block.uri ?? '');
    return { kind: 'link', uri, name: String(block.title ?? block.name ?? uri) };
  }
  if (type === 'resource' && isJsonObject(resource) && typeof resource.text === 'string') {
    return { ...cut(resource.text), kind: 'resource', uri: String(resource.uri ?? '') };
  }
  return textBlock(JSON.stringify(block, undefined, 2));
}

function fileOf({ type, resource, ...block }: JsonObject): ResultAttachment | undefined {
  const { data, mimeType } =
    type === 'resource' && isJsonObject(resource)
      ? { data: resource.blob, mimeType: resource.mimeType }
      : block;
  return typeof data === 'string'
    ? { data, mimeType: typeof mimeType === 'string' ? mimeType : 'application/octet-stream' }
    : undefined;
}

function textBlock(text: string): RunResultBlock {
  return { kind: 'text', ...cut(text) };
}

function cut(text: string): { readonly text: string; readonly omitted?: string } {
  return text.length <= maxText
    ? { text }
    : {
        text: `${text.slice(0, maxText)}…`,
        omitted: l10n.t('{0} of {1} characters are shown.', maxText, text.length),
      };
}

/** Only these are drawn; SVG is not among them. */
function isPicture(data: unknown, mimeType: unknown): data is string {
  return (
    typeof data === 'string' &&
    /^[A-Za-z0-9+/=\s]+$/.test(data) &&
    typeof mimeType === 'string' &&
    /^image\/(?:png|jpeg|gif|webp)$/.test(mimeType)
  );
}

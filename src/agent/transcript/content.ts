/** Reads the content of Pi's messages and results, which tools and extensions may fill with anything. */
import * as l10n from '@vscode/l10n';
import {
  asList,
  asObject,
  asString,
  defined,
  isJsonObject,
  type JsonObject,
} from '../../base/json.js';
import type {
  ResultBlock,
  TranscriptEntry,
  WholeResultView,
} from '../../protocol/agentProtocol.js';
import type { CallCost } from '../../protocol/callWords.js';
import { readChangeView, wantedChange } from '../changes/changeView.js';
import { callWords } from '../policy/callWords.js';
import { asNumber, itemsOf, objectOf } from '../reading/readers.js';
import { parseStructuredView } from './structuredView.js';

type ToolEntry = Extract<TranscriptEntry, { kind: 'tool' }>;

const shownImages = /^image\/(png|jpeg|gif|webp|bmp|avif)$/;

/** All text of a message, blocks apart. */
export function contentText(content: unknown): string {
  return typeof content === 'string' ? content : readTexts(content).join('\n\n');
}

export function resultBlocks(result: unknown): readonly ResultBlock[] {
  return asList(asObject(result).content).flatMap(resultBlock);
}

/** Lines and characters of what a running call has given so far. */
const tailLines = 200;
const tailLength = 20_000;

/** The end of what a running call has given so far: it comes whole, again and again. */
export function resultTail(
  blocks: readonly ResultBlock[],
): Pick<Extract<TranscriptEntry, { kind: 'tool' }>, 'result' | 'earlierLines'> {
  const tails = blocks.map((block) => (block.kind === 'text' ? tailOf(block.text) : undefined));
  const earlierLines = tails.reduce((sum, tail) => sum + (tail?.earlierLines ?? 0), 0);
  const result = blocks.map((block, index) => {
    const text = tails[index]?.text;
    return text === undefined ? block : { kind: 'text' as const, text };
  });
  return { result, earlierLines: earlierLines > 0 ? earlierLines : undefined };
}

function tailOf(text: string): { readonly text: string; readonly earlierLines: number } {
  let start = text.length;
  for (let lines = 0; lines < tailLines && start > 0; lines++) {
    const before = text.lastIndexOf('\n', start - 2) + 1;
    if (text.length - before > tailLength) {
      // a line that is too long by itself shows its end
      start = lines === 0 ? characterStart(text, text.length - tailLength) : start;
      break;
    }
    start = before;
  }
  let earlierLines = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < start; at = text.indexOf('\n', at + 1)) {
    earlierLines++;
  }
  return { text: text.slice(start), earlierLines };
}

/** Half a character shows as nothing that anyone wrote. */
function characterStart(text: string, at: number): number {
  return /[\uDC00-\uDFFF]/.test(text[at] ?? '') ? at + 1 : at;
}

/** What a tool said of its result beside what the model gets. */
export function detailsIn(result: unknown): JsonObject {
  return asObject(asObject(result).details);
}

/** Progress that a bridged tool reported. */
export function progressOf(result: unknown): string | undefined {
  return asString(detailsIn(result).progress);
}

/** A bridged call that waits for the user to review its server. */
export function awaitsReview(result: unknown): boolean {
  return detailsIn(result).awaitsReview === true;
}

/** A result that stands for a task which goes on in the background. */
export function isBackgroundNotice(result: unknown): boolean {
  return detailsIn(result).isBackground === true;
}

const readFiles = itemsOf(
  objectOf<WholeResultView['files'][number]>({ mimeType: asString, bytes: asNumber }),
);

/** What of an MCP tool's result can be opened. */
function wholeOf(details: JsonObject, callId: string): WholeResultView | undefined {
  if (details.isMcp !== true || details.server === undefined) {
    return undefined;
  }
  return { callId, isCut: details.isCut === true, files: readFiles(details.files) };
}

/** What the card of an MCP tool's call offers beside the result itself. */
export function extrasOf(
  result: unknown,
  callId: string,
): Pick<ToolEntry, 'whole' | 'structured' | 'app' | 'change' | 'spent'> {
  const details = detailsIn(result);
  const whole = wholeOf(details, callId);
  const structured = whole && parseStructuredView(details.structured);
  const change = whole ? undefined : readChangeView(details.change);
  return defined({
    spent: readSpent(details.spent),
    change: change && { ...change, callId },
    whole,
    structured,
    app: whole && details.hasApp === true ? { callId } : undefined,
  });
}

const readSpent = objectOf<CallCost>({ ms: asNumber, tokens: asNumber });

/** A text of a file is read as what changes, not as JSON. */
export function argumentsOf(
  tool: string,
  args: unknown,
  isOfServer: boolean,
): Pick<ToolEntry, 'args' | 'change' | 'words'> {
  const change = isOfServer ? undefined : wantedChange(tool, args);
  if (change) {
    return { args: '', change };
  }
  const words = callWords(tool, args, isOfServer);
  return { args: JSON.stringify(args ?? {}, undefined, 2), words };
}

/** Of the blocks that are text. */
export const readTexts = itemsOf((block) => {
  const { type, text } = asObject(block);
  return type === 'text' ? asString(text) : undefined;
});

function resultBlock(block: unknown): ResultBlock[] {
  if (!isJsonObject(block)) {
    return [];
  }
  const { type, text, data, mimeType } = block;
  if (type === 'text' && typeof text === 'string') {
    return [{ kind: 'text', text }];
  }
  if (type === 'image' && typeof data === 'string' && typeof mimeType === 'string') {
    return shownImages.test(mimeType)
      ? [{ kind: 'image', mimeType, data }]
      : [{ kind: 'text', text: l10n.t('Image of type {0}, not shown', mimeType) }];
  }
  return [];
}

/** Finds a text in a transcript, where the page shows it and where it would. */
import { foundPlaces, searchedText } from '../../../base/text/searched.js';
import type { TranscriptEntry } from '../../../protocol/agentProtocol.js';
import type { FoundPart, FoundText } from '../../../protocol/conversationFind.js';

/** Places that are counted. */
const maxFound = 5_000;

/** What is read of an entry; an entry that changes is another one. */
const known = new WeakMap<TranscriptEntry, readonly SearchedPart[]>();

type ToolEntry = Extract<TranscriptEntry, { kind: 'tool' }>;

interface SearchedPart {
  readonly part: string;
  readonly text: string;
}

export function findText(entries: Iterable<TranscriptEntry>, query: string): FoundText {
  const wanted = searchedText(query).trim() === '' ? '' : searchedText(query);
  const parts: FoundPart[] = [];
  let left = maxFound;
  if (wanted === '') {
    return { parts, isCut: false };
  }
  for (const entry of entries) {
    for (const { part, text } of searchedParts(entry)) {
      const count = foundPlaces(wanted, text, left + 1).length;
      if (count > left) {
        return {
          parts: left > 0 ? [...parts, { entryId: entry.id, part, count: left }] : parts,
          isCut: true,
        };
      }
      if (count > 0) {
        parts.push({ entryId: entry.id, part, count });
        left -= count;
      }
    }
  }
  return { parts, isCut: false };
}

function searchedParts(entry: TranscriptEntry): readonly SearchedPart[] {
  const found = known.get(entry);
  if (found) {
    return found;
  }
  const parts = partsOf(entry).map(({ part, text }) => ({ part, text: searchedText(text) }));
  known.set(entry, parts);
  return parts;
}

/** In the order of the page. */
function partsOf(entry: TranscriptEntry): readonly SearchedPart[] {
  switch (entry.kind) {
    case 'user':
      return [{ part: 'text', text: entry.text }];
    case 'assistant':
      return [
        { part: 'thinking', text: entry.thinking ?? '' },
        { part: 'answer', text: readableMarkdown(entry.text) },
      ];
    case 'tool':
      return toolParts(entry);
    case 'notice':
      return [{ part: 'notice', text: `${entry.text}\n${entry.remedy ?? ''}` }];
    case 'compaction':
      return [{ part: 'summary', text: entry.summary }];
    case 'compacting':
    case 'retry':
      // goes on now
      return [];
  }
}

function toolParts(entry: ToolEntry): readonly SearchedPart[] {
  const { args, change, words, status, result } = entry;
  const lines = change?.hunks.flatMap((hunk) => hunk.map(({ text }) => text)) ?? [];
  const texts = result.flatMap((block) => (block.kind === 'text' ? [block.text] : []));
  const isShownAsChange = change !== undefined && status === 'done';
  return [
    { part: 'head', text: headText(entry) },
    { part: 'diff', text: lines.join('\n') },
    { part: 'values', text: valuesText(words) },
    { part: 'args', text: words || args === '{}' ? '' : args },
    { part: 'result', text: isShownAsChange ? '' : texts.join('\n') },
  ];
}

function headText({ tool, mcp, change, words }: ToolEntry): string {
  switch (words?.kind) {
    case 'read':
    case 'list':
      return words.path;
    case 'grep':
    case 'find':
      return `${words.pattern}\n${words.path ?? ''}`;
    case 'tools':
      return words.query;
    case 'plan':
      return words.title;
    case 'command':
      return '';
    default:
      return change?.path ?? `${mcp?.tool ?? tool}\n${mcp?.server ?? ''}`;
  }
}

function valuesText(words: ToolEntry['words']): string {
  switch (words?.kind) {
    case 'command':
      return words.command;
    case 'values':
      return words.values.map(({ name, text }) => `${name}\n${text}`).join('\n');
    default:
      return '';
  }
}

const fenceLine = /^ {0,3}(```+|~~~+)/;
const linkTarget = /\]\([^()\s]*\)/g;

/** Goes through the text once, line by line. What stands in code stays as it is. */
export function readableMarkdown(text: string): string {
  let fence: string | undefined;
  return text
    .split('\n')
    .map((line) => {
      const [, mark] = fenceLine.exec(line) ?? [];
      if (fence !== undefined) {
        const isEnd = mark?.startsWith(fence) === true && line.trim() === mark;
        fence = isEnd ? undefined : fence;
        return isEnd ? '' : line;
      }
      fence = mark;
      return mark === undefined ? readableLine(line) : '';
    })
    .join('\n');
}

function readableLine(line: string): string {
  return line
    .replace(/^ {0,3}(?:#{1,6} |> ?|[-*+] )/, '')
    .replace(linkTarget, '')
    .replace(/\*\*|__|~~|[`[]/g, '');
}

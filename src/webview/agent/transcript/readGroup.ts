/** Reads that follow each other, as one row. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { counted } from '../../../base/text/counted.js';
import type { TranscriptEntry } from '../../../protocol/agentProtocol.js';
import { foldButton } from '../../shared/buttons.js';
import type { AgentPage } from '../agentPage.js';

/** Entries that are shown as one; most rows are one entry. */
export interface TranscriptRow {
  readonly entries: readonly TranscriptEntry[];
  /** Index of the first one. */
  readonly index: number;
}

/** Rows of two reads and more, with the thoughts between them; calls that did anything else are rows of their own. */
export function rowsOf(transcript: readonly TranscriptEntry[]): readonly TranscriptRow[] {
  const rows: TranscriptRow[] = [];
  for (let at = 0; at < transcript.length; ) {
    const length = groupLength(transcript, at);
    rows.push({ entries: transcript.slice(at, at + length), index: at });
    at += length;
  }
  return rows;
}

/** How many entries from there on are one row. */
function groupLength(transcript: readonly TranscriptEntry[], start: number): number {
  if (!isRead(transcript[start])) {
    return 1;
  }
  let end = start + 1;
  for (let at = end; at < transcript.length; at++) {
    const entry = transcript[at];
    if (isRead(entry)) {
      end = at + 1;
    } else if (!isThought(entry)) {
      break;
    }
  }
  return end - start;
}

/** A tool of ours that reads and has done so, or a command that does: what a server says of its tools folds nothing. */
function isRead(entry: TranscriptEntry | undefined): boolean {
  if (entry?.kind !== 'tool' || entry.mcp || entry.status !== 'done') {
    return false;
  }
  const { words, why } = entry;
  return words?.kind === 'command'
    ? why?.ran?.kind === 'reads'
    : ['read', 'list', 'grep', 'find'].includes(words?.kind ?? '');
}

function isThought(entry: TranscriptEntry | undefined): boolean {
  return entry?.kind === 'assistant' && entry.text === '' && !entry.isStreaming;
}

export function readGroup(
  { entries: [first, ...more] }: TranscriptRow,
  content: () => TemplateResult,
  expanded: ReadonlySet<string>,
  page: AgentPage,
): TemplateResult | typeof nothing {
  if (!first) {
    return nothing;
  }
  const entries = [first, ...more];
  const part = `${first.id}/reads`;
  const isOpen = expanded.has(part);
  const text = groupText(entries);
  return html`<div
    class=${isOpen ? 'reads open' : 'entry reads'}
    data-entry=${isOpen ? nothing : first.id}
    data-holds=${entries.map(({ id }) => id).join(' ')}
  >
    ${foldButton(text, isOpen, () => page.toggle(part), { fold: part, className: 'reads-head' })}
    ${isOpen ? content() : nothing}
  </div>`;
}

/** Such as *Looked around: 3 searches, 2 files, git status*. */
function groupText(entries: readonly TranscriptEntry[]): string {
  const words = entries.flatMap((entry) => (entry.kind === 'tool' && entry.words) || []);
  const files = new Set(words.flatMap((one) => (one.kind === 'read' ? one.path : []))).size;
  const folders = new Set(words.flatMap((one) => (one.kind === 'list' ? one.path : []))).size;
  const searches = words.filter(({ kind }) => kind === 'grep' || kind === 'find').length;
  const commands = new Set(
    words.flatMap((one) => (one.kind === 'command' ? commandName(one.command) : [])),
  );
  const parts = [
    searches > 0 && counted(l10n.t('1 search|{0} searches'), searches),
    files > 0 && counted(l10n.t('1 file|{0} files'), files),
    folders > 0 && counted(l10n.t('1 folder|{0} folders'), folders),
    ...commands,
  ].filter((part) => part !== false);
  return l10n.t('Looked around: {0}', parts.join(', '));
}

/** What is started, and of git what it does. */
function commandName(command: string): string {
  const [program = '', ...more] = command.trim().split(/\s+/);
  const verb = program === 'git' ? more.find((word) => !word.startsWith('-')) : undefined;
  return verb === undefined ? program : `${program} ${verb}`;
}

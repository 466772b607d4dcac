import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { guard } from 'lit-html/directives/guard.js';
import { repeat } from 'lit-html/directives/repeat.js';
import type { TranscriptEntry } from '../../../protocol/agentProtocol.js';
import type { AttachmentView } from '../../../protocol/attachments.js';
import type { Announcer } from '../../shared/announcer.js';
import { actionLink, foldButton } from '../../shared/buttons.js';
import { icon } from '../../shared/icon.js';
import type { AgentPage } from '../agentPage.js';
import type { CallLook } from '../calls/callRow.js';
import { durationText, runText } from '../calls/spent.js';
import { toolCard } from '../calls/toolCard.js';
import { sentAttachments } from '../composer/attachments/attachmentList.js';
import { handleCopy } from '../copy.js';
import { growingMarkdown } from '../markdown/markdown.js';
import { answerActions, requestActions } from '../messages/messageActions.js';
import { messageEditor } from '../messages/messageEditor.js';
import { type AgentPageState, addedTo } from '../pageState.js';
import type { EditedMessage } from '../savedPage.js';
import { compactingView, compactionView } from './compactionView.js';
import type { Following } from './following.js';
import { noticeView } from './problemView.js';
import { readGroup, rowsOf, type TranscriptRow } from './readGroup.js';
import { retryView } from './retryView.js';
import { startCard } from './startCard.js';

// longer requests start folded
const maxUserLines = 20;
const foldedUserLines = 10;
const maxUserLength = 3_000;

const shortThoughtMs = 1_000;

export function transcriptView(model: AgentPageState, page: AgentPage): TemplateResult {
  const { transcript, state } = model;
  if (transcript.length === 0 && state?.status === 'ready') {
    return startCard(state, model.start, page);
  }
  return html`${earlierView(model, page)}${repeat(
    rowsOf(transcript),
    ({ entries: [first, ...more] }) => (more.length > 0 ? `${first?.id}/reads` : first?.id),
    // of a long conversation only what changed is looked at
    (row) => rowView(row, model, page),
  )}`;
}

function rowView(row: TranscriptRow, model: AgentPageState, page: AgentPage) {
  const { expanded, icons } = model;
  const views = row.entries.map((entry, at) => {
    const parts = { expanded, ...surroundings(entry, row.index + at, model) };
    const { edited, isRunning, isLast, added, look } = parts;
    const mention = edited && page.messageMentions.menu;
    const rules = model.rules?.entryId === entry.id ? model.rules : undefined;
    const { isFull, isNewestEdit, startsPlan } = look;
    const known = [entry, expanded, icons, edited, isRunning, isLast, rules, added, mention];
    return guard([...known, isFull, isNewestEdit, startsPlan], () =>
      safeEntryView(entry, parts, page),
    );
  });
  return views.length > 1
    ? guard([...row.entries, expanded, icons, model.rules], () =>
        readGroup(row, () => html`${views}`, expanded, page),
      )
    : html`${views}`;
}

/** What an entry is drawn with. */
interface EntryParts {
  readonly expanded: ReadonlySet<string>;
  /** The user changes it. */
  readonly edited: EditedMessage | undefined;
  /** Pi works, which matters to what is being changed. */
  readonly isRunning: boolean;
  /** An answer that ends its run; a notice or a summary after which nothing was said. */
  readonly isLast: boolean;
  /** What is put into the message that is changed. */
  readonly added: readonly AttachmentView[] | undefined;
  readonly look: CallLook;
}

function surroundings(
  entry: TranscriptEntry,
  index: number,
  { transcript, editedMessage, state, inputs }: AgentPageState,
): Omit<EntryParts, 'expanded'> {
  const message = entry.kind === 'user' ? entry.message : undefined;
  const isEdited =
    message !== undefined &&
    message.id === editedMessage?.id &&
    (message.branch?.of ?? 1) === editedMessage.versions;
  const isRunning = state?.status === 'running';
  return {
    edited: isEdited ? editedMessage : undefined,
    isRunning: isEdited && isRunning,
    isLast: isLastSaid(entry, index, transcript, isRunning),
    added: isEdited ? addedTo(`message/${message.id}`, { inputs }) : undefined,
    look: {
      isFull: state?.cards === 'full',
      isNewestEdit: isRunning && isEdit(entry) && !transcript.slice(index + 1).some(isEdit),
      startsPlan: !isRunning && isLeftPlan(entry) && !transcript.slice(index + 1).some(isPlan),
    },
  };
}

function isEdit(entry: TranscriptEntry): boolean {
  return entry.kind === 'tool' && entry.change !== undefined && entry.status === 'done';
}

function isPlan(entry: TranscriptEntry): boolean {
  return entry.kind === 'tool' && entry.words?.kind === 'plan';
}

function isLeftPlan(entry: TranscriptEntry): boolean {
  const status = entry.kind === 'tool' ? entry.status : undefined;
  return isPlan(entry) && (status === 'failed' || status === 'denied');
}

function isLastSaid(
  { kind }: TranscriptEntry,
  index: number,
  transcript: readonly TranscriptEntry[],
  isRunning: boolean,
): boolean {
  switch (kind) {
    case 'assistant':
      return endsRun(transcript, index, isRunning);
    case 'notice':
    case 'compaction':
      return !isRunning && !transcript.slice(index + 1).some(isSaid);
    default:
      return false;
  }
}

/** What the user ran stands beside all runs. */
function isSaid(entry: TranscriptEntry): boolean {
  return entry.kind === 'tool'
    ? !entry.byUser
    : entry.kind === 'user' || entry.kind === 'assistant';
}

function endsRun(
  transcript: readonly TranscriptEntry[],
  index: number,
  isRunning: boolean,
): boolean {
  for (let at = index + 1; at < transcript.length; at++) {
    const entry = transcript[at];
    if (entry && isSaid(entry)) {
      return entry.kind === 'user';
    }
  }
  return !isRunning;
}

/** One entry that cannot be drawn must not take the others along. */
function safeEntryView(
  entry: TranscriptEntry,
  parts: EntryParts,
  page: AgentPage,
): TemplateResult | typeof nothing {
  try {
    return entryView(entry, parts, page);
  } catch (error) {
    page.reportFailure(error);
    return html`<div class="entry notice error" data-entry=${entry.id}>
      ${icon('error', 'error-icon')}
      <div>
        <p>${l10n.t('This cannot be shown. Pi goes on.')}</p>
        ${actionLink(l10n.t('Try Again'), () => page.reload())}
      </div>
    </div>`;
  }
}

/** Links open through the extension, which checks them again; Copy buttons copy the block beside them. */
export function clickTranscript(event: Event, page: AgentPage, announcer: Announcer): void {
  const target = event.target instanceof Element ? event.target : undefined;
  const link = target?.closest<HTMLAnchorElement>('a[href]');
  if (link) {
    event.preventDefault();
    const { file, line } = link.dataset;
    void page.run((send) =>
      file === undefined
        ? send('openLink', { href: link.href })
        : send('openFile', { path: file, line: line === undefined ? undefined : Number(line) }),
    );
    return;
  }
  if (target) {
    handleCopy(target, page, announcer);
  }
}

/** The way back to the end for a reader, who stays where he is whatever comes. */
export function jumpButton(
  { isFollowing, missed }: Following,
  jump: () => void,
): TemplateResult | typeof nothing {
  return isFollowing
    ? nothing
    : html`<button type="button" class="jump" @click=${jump}>
        ${icon('arrow-down')}<span>${
          missed > 0 ? `${l10n.t('Jump to Latest')} (${missed})` : l10n.t('Jump to Latest')
        }</span>
      </button>`;
}

function earlierView({ earlier }: AgentPageState, page: AgentPage) {
  return earlier === 0
    ? nothing
    : actionLink(l10n.t('Show Earlier Messages'), () => page.showEarlier(), {
        glyph: 'history',
        className: 'earlier',
      });
}

function entryView(
  entry: TranscriptEntry,
  parts: EntryParts,
  page: AgentPage,
): TemplateResult | typeof nothing {
  const { expanded } = parts;
  switch (entry.kind) {
    case 'user':
      return userView(entry, parts, page);
    case 'assistant':
      return assistantView(entry, parts, page);
    case 'tool':
      return toolCard(entry, expanded, page, parts.look);
    case 'notice':
      return noticeView(entry, parts.isLast, page);
    case 'compaction':
      return compactionView(entry, parts, page);
    case 'compacting':
      return compactingView(entry);
    case 'retry':
      return retryView(entry);
  }
}

/** What is pasted into a request can be a whole file. */
function userView(
  { id, text, attachments, message }: Extract<TranscriptEntry, { kind: 'user' }>,
  { expanded, edited, isRunning }: EntryParts,
  page: AgentPage,
): TemplateResult {
  const sent = sentAttachments(attachments, message && { page, messageId: message.id });
  if (edited) {
    const { id: messageId } = edited;
    return html`<article
      class="entry user edited"
      data-entry=${id}
      data-into=${`message/${messageId}`}
      aria-label=${l10n.t('You')}
    >
      ${messageEditor(edited, attachments ?? [], isRunning, page)}
    </article>`;
  }
  const part = `${id}/text`;
  const short = beginningOf(text);
  const isOpen = short === text || expanded.has(part);
  return html`<article class="entry user" data-entry=${id} aria-label=${l10n.t('You')}
    ><div class="user-text" data-find="text">${isOpen ? text : `${short}…`}</div>${
      short === text
        ? nothing
        : actionLink(isOpen ? l10n.t('Show Less') : l10n.t('Show All'), () => page.toggle(part), {
            isExpanded: isOpen,
            fold: part,
          })
    }${sent}${requestActions(message, page)}</article>`;
}

function beginningOf(text: string): string {
  const lines = text.split('\n');
  const few = lines.length > maxUserLines ? lines.slice(0, foldedUserLines).join('\n') : text;
  return few.length > maxUserLength ? few.slice(0, maxUserLength) : few;
}

function assistantView(
  entry: Extract<TranscriptEntry, { kind: 'assistant' }>,
  { expanded, isLast }: EntryParts,
  page: AgentPage,
): TemplateResult | typeof nothing {
  const { id, text, isStreaming, run, thinkingMs = shortThoughtMs } = entry;
  // what took no time says nothing
  const thinking = thinkingMs < shortThoughtMs ? undefined : entry.thinking;
  if (!text && !thinking && !isStreaming) {
    return nothing;
  }
  return html`<article class="entry assistant" data-entry=${id} aria-label=${l10n.t('Pi')} aria-busy=${isStreaming}>
    ${thinking ? thinkingView(entry, thinking, expanded, page) : nothing} ${text ? growingMarkdown(text, !isStreaming) : nothing}
    ${isStreaming && !text && !thinking ? html`<p class="dim writing">${l10n.t('Thinking…')}</p>` : nothing}
    ${run && isLast ? html`<p class="run-line dim">${runText(run)}</p>` : nothing}
    ${text && !isStreaming ? answerActions(entry, isLast, page) : nothing}
  </article>`;
}

/** In one line, with its time. */
function thinkingView(
  { id, text, isStreaming, thinkingMs }: Extract<TranscriptEntry, { kind: 'assistant' }>,
  thinking: string,
  expanded: ReadonlySet<string>,
  page: AgentPage,
): TemplateResult {
  const part = `${id}/thinking`;
  const isOpen = expanded.has(part);
  const thinkingLabel =
    thinkingMs !== undefined
      ? l10n.t('{0}: {1}', l10n.t('Thinking'), durationText(thinkingMs))
      : isStreaming && !text
        ? l10n.t('Thinking…')
        : l10n.t('Thinking');
  return html`${foldButton(thinkingLabel, isOpen, () => page.toggle(part), { fold: part })}
    ${isOpen ? html`<div class="thinking" data-find="thinking">${thinking}</div>` : nothing}`;
}

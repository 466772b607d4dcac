import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { nameToken, quotedName } from '../../../base/text/nameToken.js';
import type {
  OwnedIconView,
  ResultBlock,
  WholeResultView,
} from '../../../protocol/agentProtocol.js';
import type { StructuredView, ToolCallStatus } from '../../../protocol/callWords.js';
import type { FileChangeView } from '../../../protocol/fileChanges.js';
import { foldButton, iconButton, linkButton, mainButton } from '../../shared/buttons.js';
import { resultDiagrams } from '../../shared/diagrams/resultDiagrams.js';
import { icon, picture } from '../../shared/icon.js';
import { countText } from '../../shared/numbers.js';
import { structuredCard } from '../../shared/structuredCard.js';
import type { AgentPage } from '../agentPage.js';
import { changeTitle, countsText, countsView, diffView } from '../changes/diffView.js';
import { copyButton } from '../copy.js';
import type { ToolEntry } from '../pageState.js';
import { whyButton, whyView } from '../rules/whyView.js';
import { callActions } from './callActions.js';
import { type CallLook, callRow, failedLines, isCallOpen, runningLines } from './callRow.js';
import { valuesView, wordsText, wordsTitle } from './callWordsView.js';
import { zoomPicture } from './pictureZoom.js';
import { planAgain } from './planAgain.js';
import { spentView } from './spent.js';
import { terminalView } from './terminal.js';

/** Raster formats that browsers draw without running anything. */
const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** Characters of a command that its title shows. */
const maxTitle = 60;

// results of more lines start folded
const maxOpenLines = 8;

export function toolCard(
  entry: ToolEntry,
  expanded: ReadonlySet<string>,
  page: AgentPage,
  look: CallLook = { isFull: true, isNewestEdit: false, startsPlan: false },
): TemplateResult {
  const { id, tool, mcp, status, args, change, words, result, progress } = entry;
  const { isFull } = look;
  const isOpen = isFull || isCallOpen(entry, expanded, look);
  const shown = shownStatus(entry);
  const hasArguments = args !== '' && args !== '{}';
  const argumentsPart = `${id}/args`;
  const isRead = status === 'done' && words && words.kind !== 'values' && words.kind !== 'command';
  const isRunning = (status === 'running' || status === 'background') && progress;
  return html`<article
    class=${isFull ? 'entry tool' : isOpen ? 'entry tool row open' : 'entry tool row'}
    data-entry=${id}
    data-tool=${mcp?.tool ?? tool}
    data-status=${shown}
    aria-label=${toolLabel(entry)}
  >
    <div class="tool-head" data-find="head">
      ${isFull ? head() : callRow(entry, { isOpen, look, page }, { head: head(), status: statusView() })}
      ${isOpen && words && hasArguments ? argumentsButton() : nothing}
      ${isOpen ? whyButton(entry, expanded, page) : nothing}
      ${isFull ? statusView() : nothing}
    </div>
    ${isFull ? body() : isOpen ? html`<div class="call-body">${body()}</div>` : nothing}
  </article>`;

  function head(): TemplateResult {
    return html`${icon(callStatusIcons[shown], 'status-icon')}
      ${picture(toolIcon(entry, page))}
      ${headOf(entry)}`;
  }

  function statusView(): TemplateResult {
    return html`<span class="status-word ${shown === 'done' ? 'visually-hidden' : ''}">${callStatusWords[shown]()}</span>
      ${spentView(entry.spent)}`;
  }

  function body(): TemplateResult {
    return html`${whyView(entry, expanded, page)}
    ${shown === 'awaiting_review' ? reviewRow(page) : nothing}
    ${isRunning ? html`<p class="dim progress">${progress}</p>` : nothing} ${callActions(entry, page)}
    ${look.startsPlan ? planAgain(args, page) : nothing}
    ${change && hasLines(change) ? changeLines(change) : nothing}
    ${words?.kind === 'values' ? html`<div data-find="values">${valuesView(words.values, false)}</div>` : nothing}
    ${hasArguments && !words ? folded('args', l10n.t('Arguments'), plainBlock(args, l10n.t('Arguments')), false, true) : nothing}
    ${words && expanded.has(argumentsPart) ? block(args, l10n.t('Arguments')) : nothing}
    ${entry.structured ? dataView(entry.structured) : nothing}
    ${
      words?.kind === 'command'
        ? terminalView(entry, restOf(words.command), expanded, page, shownLines())
        : result.length > 0 && !(change && status === 'done')
          ? resultView()
          : nothing
    }
    ${change ? nothing : resultDiagrams(result.flatMap((part) => (part.kind === 'text' ? [part.text] : [])))}
    ${entry.whole ? wholeView(entry.whole, page) : nothing}
    ${entry.app ? appButton(entry.app.callId, page) : nothing}`;
  }

  /** Of an output; as many as usual where nothing else is said. */
  function shownLines(): number | undefined {
    if (isFull) {
      return undefined;
    }
    return status === 'running' ? runningLines : status === 'failed' ? failedLines : undefined;
  }

  /** For those who want to see what the words stand for. */
  function argumentsButton(): TemplateResult {
    return iconButton(l10n.t('Arguments as JSON'), 'json', () => page.toggle(argumentsPart), {
      isExpanded: expanded.has(argumentsPart),
    });
  }

  /** What waits for approval is shown with the question. */
  function changeLines(view: FileChangeView): TemplateResult {
    const { callId } = view;
    const whole = `${id}/whole-diff`;
    const content = diffView(view, {
      isWhole: expanded.has(whole),
      showAll: () => page.toggle(whole),
      open:
        callId === undefined ? undefined : () => page.run((send) => send('openDiff', { callId })),
    });
    return folded('diff', l10n.t('Changes'), content, status === 'done');
  }

  function resultView(): TemplateResult {
    const [only, ...more] = result;
    const isOneText = only?.kind === 'text' && more.length === 0;
    return folded(
      'result',
      l10n.t('Result'),
      html`${
        entry.earlierLines
          ? html`<p class="dim">${l10n.t('{0} more', entry.earlierLines)}</p>`
          : nothing
      }${isOneText ? plainBlock(only.text, l10n.t('Result')) : result.map(resultBlock)}`,
      // its data says the same, and is easier to read; what was read is for the model
      (!isFull || (isShort(result) && !isRead)) && !entry.structured,
      isOneText,
    );
  }

  function dataView(structured: StructuredView): TemplateResult {
    const content = structuredCard(structured, mcp?.tool ?? tool);
    return folded('data', l10n.t('Data'), content, true);
  }

  /** `expanded` holds the parts that differ from how they start. */
  function folded(
    part: string,
    label: string,
    content: TemplateResult,
    startsOpen = false,
    isCopied = false,
  ): TemplateResult {
    const fold = `${id}/${part}`;
    const isOpen = expanded.has(fold) !== startsOpen;
    return html`<div class="code-block">
      <div class="part-head">
        ${foldButton(label, isOpen, () => page.toggle(fold), { fold })}
        ${isOpen && isCopied ? copyButton() : nothing}
      </div>
      ${isOpen ? html`<div data-find=${part}>${content}</div>` : nothing}
    </div>`;
  }
}

function headOf(entry: ToolEntry): TemplateResult {
  const { tool, mcp, change, words } = entry;
  if (change) {
    return changeHead(change);
  }
  return words && words.kind !== 'values'
    ? html`${wordsTitle(words)}${byUserNote(entry)}`
    : html`<span class="tool-name">${nameToken(mcp?.tool ?? tool)}</span>
        <span class="dim tool-server">${mcp ? nameToken(mcp.server) : l10n.t('Built in')}</span>`;
}

function byUserNote(entry: ToolEntry): TemplateResult | typeof nothing {
  const text = byUserText(entry);
  return text === undefined ? nothing : html`<span class="dim tool-server">${text}</span>`;
}

function byUserText({ byUser }: ToolEntry): string | undefined {
  return byUser && (byUser.isPrivate ? l10n.t('only for you') : l10n.t('by you'));
}

/** What the title has no room for. */
function restOf(command: string): string | undefined {
  return command.length > maxTitle || command.includes('\n') ? command : undefined;
}

function changeHead(change: FileChangeView): TemplateResult {
  return html`<span class="change-title">${changeTitle(change)}</span>
    ${countsView(change)}`;
}

function hasLines({ hunks, notes }: FileChangeView): boolean {
  return hunks.length > 0 || notes.length > 0;
}

function reviewRow(page: AgentPage): TemplateResult {
  return html`<div class="review-row">
    <p>${l10n.t('The call goes on once you have reviewed and trusted the server.')}</p>
    ${mainButton(l10n.t('Review'), () => page.run((send) => send('review', undefined)))}
  </div>`;
}

/** Short results are here in whole; only what is cut or binary needs a way to see it. */
function wholeView({ callId, isCut, files }: WholeResultView, page: AgentPage) {
  const open = (file?: number) => page.run((send) => send('openResult', { callId, file }));
  return html`${
    isCut ? linkButton(l10n.t('Open Whole Result'), () => open(), { glyph: 'go-to-file' }) : nothing
  }${files.map(({ mimeType, bytes }, index) =>
    linkButton(l10n.t('Open File of Type {0}', mimeType), () => open(index), {
      title: l10n.t('about {0} bytes', countText(bytes)),
      glyph: 'file-binary',
    }),
  )}`;
}

function appButton(callId: string, page: AgentPage): TemplateResult {
  return linkButton(l10n.t('Open App…'), () => page.run((send) => send('openApp', { callId })), {
    glyph: 'browser',
  });
}

/** The tool's own icon, else its server's. */
function toolIcon({ mcp }: ToolEntry, { state }: AgentPage): OwnedIconView | undefined {
  const icons = state.icons.filter(({ server }) => server === mcp?.server);
  return (
    icons.find(({ tool }) => tool === mcp?.tool) ?? icons.find(({ tool }) => tool === undefined)
  );
}

export function toolLabel(entry: ToolEntry): string {
  const { tool, mcp, change, words } = entry;
  const word = callStatusWords[shownStatus(entry)]();
  if (change) {
    return [changeTitle(change), countsText(change), word].join(', ');
  }
  if (words && words.kind !== 'values') {
    return [wordsText(words), byUserText(entry) ?? [], word].flat().join(', ');
  }
  return mcp
    ? l10n.t('{0}: {1}', word, [quotedName(mcp.tool), nameToken(mcp.server)].join(' · '))
    : l10n.t('{0}: {1}', word, nameToken(tool));
}

type ShownStatus = ToolCallStatus | 'awaiting_review';

function shownStatus({ status, awaitsReview }: ToolEntry): ShownStatus {
  return awaitsReview && status === 'running' ? 'awaiting_review' : status;
}

const callStatusWords: Readonly<Record<ShownStatus, () => string>> = {
  awaiting_review: () => l10n.t('waits for you'),
  pending: () => l10n.t('pending'),
  awaiting_approval: () => l10n.t('waits for you'),
  running: () => l10n.t('running'),
  background: () => l10n.t('in background'),
  done: () => l10n.t('done'),
  failed: () => l10n.t('failed'),
  denied: () => l10n.t('denied'),
};

const callStatusIcons: Readonly<Record<ShownStatus, string>> = {
  awaiting_review: 'shield',
  pending: 'circle-outline',
  awaiting_approval: 'shield',
  running: 'loading~spin',
  background: 'loading~spin',
  done: 'pass',
  failed: 'error',
  denied: 'circle-slash',
};

function isShort(result: readonly ResultBlock[]): boolean {
  const lines = result.flatMap((part) => (part.kind === 'text' ? part.text.split('\n') : []));
  return lines.length <= maxOpenLines && lines.every((line) => line.length <= 400);
}

function resultBlock(part: ResultBlock): TemplateResult {
  if (part.kind === 'text') {
    return block(part.text, l10n.t('Result'));
  }
  if (!imageTypes.includes(part.mimeType) || !/^[A-Za-z0-9+/=\s]+$/.test(part.data)) {
    return html`<p class="dim">${l10n.t('Image of type {0}, not shown', part.mimeType)}</p>`;
  }
  const src = `data:${part.mimeType};base64,${part.data}`;
  const label = l10n.t('Image');
  return html`<button
    type="button"
    class="result-image-button"
    title=${l10n.t('Zoom In')}
    aria-haspopup="dialog"
    @click=${() => zoomPicture(src, label)}
  >
    <img class="result-image" src=${src} alt=${label} />
  </button>`;
}

function block(text: string, label: string): TemplateResult {
  return html`<div class="code-block">
    <div class="code-head"><span class="code-language">${label}</span>${copyButton()}</div>
    <pre class="text-block" tabindex="0" role="group" aria-label=${label}>${longText(text)}</pre>
  </div>`;
}

/** Long text scrolls inside the block, hence the tab stop. */
function plainBlock(text: string, label: string): TemplateResult {
  return html`<pre class="text-block plain" tabindex="0" role="group" aria-label=${label}>${longText(text)}</pre>`;
}

/** Characters of one piece, and of a text that is drawn as it is. */
const pieceLength = 16_000;

/** In pieces of whole lines, of which the browser lays out those in sight alone. */
function longText(text: string): TemplateResult | string {
  if (text.length <= 2 * pieceLength) {
    return text;
  }
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    const lineEnd = text.indexOf('\n', at + pieceLength);
    const end = lineEnd === -1 ? text.length : lineEnd + 1;
    pieces.push(text.slice(at, end));
    at = end;
  }
  return html`${pieces.map((piece) => html`<span class="text-piece">${piece}</span>`)}`;
}

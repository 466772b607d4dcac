import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { nameToken, quotedName } from '../../../base/text/nameToken.js';
import type { FileChangeView } from '../../../protocol/fileChanges.js';
import type { ApprovalDecision, ApprovalView } from '../../../protocol/tools/approvals.js';
import { icon } from '../../shared/icon.js';
import type { AgentPage } from '../agentPage.js';
import { changeTitle, countsView, diffView } from '../changes/diffView.js';
import type { AgentPageState } from '../pageState.js';
import { commandChoice, commandParts, isWide, wideToggle } from '../rules/commandRules.js';
import { whyAsked } from '../rules/whyView.js';
import { valuesView, wordsText } from './callWordsView.js';

/** Open questions, between the transcript and the composer, so that they never scroll out of sight. */
export function approvalCards(
  { state, editedArgs }: AgentPageState,
  page: AgentPage,
): TemplateResult | typeof nothing {
  const approvals = state?.approvals ?? [];
  if (approvals.length === 0) {
    return nothing;
  }
  return html`<div class="approvals">
    ${approvals.length > 1 ? listHead(approvals, page) : nothing}
    ${repeat(
      approvals,
      ({ id }) => id,
      (approval) => approvalCard(approval, editedArgs.get(approval.id), page),
    )}
  </div>`;
}

export function approvalTitle(approval: ApprovalView): string {
  const { tool, mcp, isByApp, fileChange, words } = approval;
  if (fileChange) {
    return l10n.t('{0}?', changeTitle(fileChange, false));
  }
  if (words?.kind === 'command') {
    return l10n.t('Run this command?');
  }
  if (words && words.kind !== 'values') {
    return l10n.t('{0}?', wordsText(words, false));
  }
  if (!mcp) {
    return l10n.t('Run this tool? {0}', nameToken(tool));
  }
  return isByApp
    ? l10n.t(
        'Run this tool for the app of an MCP server? {0} · {1}',
        quotedName(mcp.tool),
        nameToken(mcp.server),
      )
    : l10n.t(
        'Run this tool of an MCP server? {0} · {1}',
        quotedName(mcp.tool),
        nameToken(mcp.server),
      );
}

function listHead(approvals: readonly ApprovalView[], page: AgentPage): TemplateResult {
  const decideAll = async (decision: ApprovalDecision) => {
    for (const { id } of approvals) {
      await page.decide(id, decision);
    }
  };
  return html`<div class="approvals-head">
    <strong>${l10n.t('{0} tool calls wait for you', approvals.length)}</strong>
    <button type="button" class="link-button link-action" @click=${() => decideAll('once')}>
      ${l10n.t('Allow All')}
    </button>
    <button type="button" class="link-button link-action" @click=${() => decideAll('deny')}>
      ${l10n.t('Deny All')}
    </button>
  </div>`;
}

function approvalCard(
  approval: ApprovalView,
  edited: string | undefined,
  page: AgentPage,
): TemplateResult {
  const { id, claims, change, places, why } = approval;
  // no rule can stand for it
  const choices = why.kind === 'starts' ? [] : (['session', ...places] as const);
  const titleId = `approval-title-${id}`;
  const decide = (decision: ApprovalDecision) => page.decide(id, decision, isWide(approval, page));
  return html`<section
    class="approval"
    role="group"
    tabindex="-1"
    data-approval=${id}
    aria-labelledby=${titleId}
  >
    <h2 id=${titleId}>
      ${icon('shield')}<span>${approvalTitle(approval)}</span>${approval.fileChange ? countsView(approval.fileChange) : nothing}
    </h2>
    ${change === undefined ? nothing : changeView(change)}
    ${whyAsked(approval)} ${effectView(approval)} ${commandParts(approval)}
    ${argumentsView(approval, edited, page)}
    ${
      claims.length > 0
        ? html`<p class="dim">${l10n.t('Claimed by the server: {0}', claims.join(', '))}</p>`
        : nothing
    }
    <div class="approval-choices">
      ${choices.map(
        (choice) =>
          html`<button type="button" class="link-button link-action" @click=${() => decide(choice)}>
            ${commandChoice(choice, approval, page) ?? choiceLabel(choice)}
          </button>`,
      )}
      ${wideToggle(approval, page)}
    </div>
    <div class="approval-buttons">
      <vscode-button title=${l10n.t('Allow Once (Ctrl+Enter)')} @click=${() => decide('once')}
        >${l10n.t('Allow Once')}</vscode-button
      >
      <vscode-button appearance="secondary" @click=${() => decide('deny')}
        >${l10n.t('Deny')}</vscode-button
      >
    </div>
  </section>`;
}

function choiceLabel(choice: 'session' | ApprovalView['places'][number]): string {
  switch (choice) {
    case 'session':
      return l10n.t('Allow for This Session');
    case 'folder':
      return l10n.t('Always Allow in This Folder');
    case 'everywhere':
      return l10n.t('Always Allow Everywhere');
  }
}

function changeView(change: string): TemplateResult {
  return html`<p class="banner warning">
      ${icon('warning')}<span
        >${l10n.t('You allowed this tool always, but the server has changed it since:')}</span
      >
    </p>
    <pre class="args change" tabindex="0" role="group" aria-label=${l10n.t('What changed')}>${change}</pre>`;
}

function effectView({ effect }: ApprovalView): TemplateResult | typeof nothing {
  if (!effect) {
    return nothing;
  }
  const label = effectLabel(effect.kind);
  // one block, so that a low view shows both
  return html`<pre class="args" tabindex="0" role="group" aria-label=${label}><span class="dim">${label}</span>
${effect.text}</pre>`;
}

function effectLabel(kind: NonNullable<ApprovalView['effect']>['kind']): string {
  switch (kind) {
    case 'link':
      return l10n.t('A link leads to this file:');
    case 'outside':
      return l10n.t('Outside the folder:');
    case 'command':
      return l10n.t('This is started:');
  }
}

function argumentsView(
  approval: ApprovalView,
  edited: string | undefined,
  page: AgentPage,
): TemplateResult {
  const { id, args } = approval;
  if (edited !== undefined) {
    return html`<textarea
        class="args-editor"
        spellcheck="false"
        rows=${Math.min(16, edited.split('\n').length + 1)}
        aria-label=${l10n.t('Arguments')}
        .value=${edited}
        @input=${(event: Event) => page.editArgs(id, (event.target as HTMLTextAreaElement).value)}
      ></textarea>
      <button type="button" class="link-button" @click=${() => page.editArgs(id, undefined)}>
        ${icon('discard')}<span>${l10n.t('Discard Changes')}</span>
      </button>`;
  }
  return html`${wholeArguments(approval, page)}
    <button type="button" class="link-button" @click=${() => page.editArgs(id, args)}>
      ${icon('edit')}<span>${l10n.t('Edit Arguments')}</span>
    </button>`;
}

function wholeArguments(
  { id, args, fileChange, words, effect }: ApprovalView,
  page: AgentPage,
): TemplateResult | typeof nothing {
  if (fileChange) {
    return fileChangeView(id, fileChange, page);
  }
  if (!words || (words.kind !== 'values' && words.isPart)) {
    return html`<pre class="args" tabindex="0" role="group" aria-label=${l10n.t('Arguments')}>${args}</pre>`;
  }
  switch (words.kind) {
    case 'values':
      return html`<div class="args" tabindex="0" role="group" aria-label=${l10n.t('Arguments')}>
        ${valuesView(words.values, true)}
      </div>`;
    case 'command':
      return html`${
        // the line that is started has it
        effect ? nothing : html`<pre class="args" tabindex="0" role="group">${words.command}</pre>`
      }${
        words.timeout === undefined
          ? nothing
          : html`<p class="dim">${l10n.t('Ends after {0} seconds', words.timeout)}</p>`
      }`;
    default:
      // the question says it all
      return nothing;
  }
}

/** All of its lines, as the user decides about all of them. */
function fileChangeView(
  approvalId: string,
  fileChange: FileChangeView,
  page: AgentPage,
): TemplateResult {
  return diffView(fileChange, {
    isWhole: true,
    showAll: () => undefined,
    open: () => page.run((send) => send('openDiff', { approvalId })),
  });
}

import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { counted } from '../../../base/text/counted.js';
import { nameToken, quotedName } from '../../../base/text/nameToken.js';
import type { FileChangeView } from '../../../protocol/fileChanges.js';
import type { ApprovalDecision, ApprovalView } from '../../../protocol/tools/approvals.js';
import { actionLink, linkButton, mainButton, sideButton, withKeys } from '../../shared/buttons.js';
import { icon } from '../../shared/icon.js';
import { repeatById } from '../../shared/repeatById.js';
import type { AgentPage } from '../agentPage.js';
import { changeTitle, countsView, diffView } from '../changes/diffView.js';
import type { AgentPageState } from '../pageState.js';
import { commandParts, isWide, ruleScopeView } from '../rules/commandRules.js';
import { scopeLabels } from '../rules/ruleWords.js';
import { warningOf, whyAsked } from '../rules/whyView.js';
import { valuesView, wordsText } from './callWordsView.js';
import { planCard, planTitle } from './planCard.js';

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
    ${repeatById(approvals, (approval) =>
      approvalCard(approval, editedArgs.get(approval.id), page),
    )}
  </div>`;
}

export function approvalTitle(approval: ApprovalView): string {
  const { tool, mcp, isByApp, fileChange, words, plan } = approval;
  if (plan) {
    return planTitle(plan.title);
  }
  if (fileChange) {
    return l10n.t('{0}?', changeTitle(fileChange));
  }
  if (words?.kind === 'command') {
    return l10n.t('Run this command?');
  }
  if (words && words.kind !== 'values') {
    return l10n.t('{0}?', wordsText(words));
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
    <strong>${l10n.t('Needs your OK: {0}', counted(l10n.t('1 call|{0} calls'), approvals.length))}</strong>
    ${actionLink(l10n.t('Allow All'), () => decideAll('once'))}
    ${actionLink(l10n.t('Deny All'), () => decideAll('deny'))}
  </div>`;
}

function approvalCard(
  approval: ApprovalView,
  edited: string | undefined,
  page: AgentPage,
): TemplateResult {
  const { id, change, fileChange } = approval;
  const titleId = `approval-title-${id}`;
  const decide = (decision: ApprovalDecision) => page.decide(id, decision, isWide(approval, page));
  const isDenying = page.state.expanded.has(denyPart(id));
  if (approval.plan) {
    return planCard(approval, approval.plan, {
      decide,
      keepPlanning: () => openDeny(id, page),
      open: () => page.run((send) => send('openPlan', { approvalId: id })),
      words: isDenying ? denyLine(id, page, l10n.t('Send')) : undefined,
    });
  }
  const isOpen = page.state.expanded.has(morePart(id));
  const isCommand = commandLine(approval) !== undefined && edited === undefined;
  return html`<section
    class="approval"
    role="group"
    tabindex="-1"
    data-approval=${id}
    aria-labelledby=${titleId}
  >
    <h2 id=${titleId} class=${isCommand ? 'visually-hidden' : ''}>
      ${icon('shield')}<span>${approvalTitle(approval)}</span>${fileChange ? countsView(fileChange) : nothing}
    </h2>
    ${warningOf(approval)} ${change === undefined ? nothing : changeView(change)}
    ${effectView(approval)}
    ${edited === undefined ? argumentsView(approval, page) : argumentsEditor(id, edited, page)}
    ${isOpen ? moreView(approval, decide, page) : nothing}
    ${isDenying ? denyLine(id, page, l10n.t('Deny')) : nothing}
    <div class="approval-buttons">
      ${mainButton(l10n.t('Allow Once'), () => decide('once'), {
        title: withKeys(l10n.t('Allow Once'), l10n.t('Ctrl+Enter')),
      })}
      ${sideButton(icon('chevron-down'), () => page.toggle(morePart(id)), {
        isExpanded: isOpen,
        label: l10n.t('More ways to allow'),
        title: l10n.t('More ways to allow'),
        className: 'approval-more',
      })}
      ${sideButton(l10n.t('Deny…'), () => openDeny(id, page), { isExpanded: isDenying })}
      ${
        approval.isEdit
          ? sideButton(l10n.t('Allow Edits in This Run'), () => decide('run'))
          : nothing
      }
    </div>
  </section>`;
}

function morePart(id: string): string {
  return `${id}/more`;
}

function denyPart(id: string): string {
  return `${id}/deny`;
}

function openDeny(id: string, page: AgentPage): void {
  page.toggle(denyPart(id));
  document.querySelector<HTMLElement>(`[data-approval="${CSS.escape(id)}"] .deny-words`)?.focus();
}

/** What the model is told, which may be nothing. */
function denyLine(id: string, page: AgentPage, word: string): TemplateResult {
  const label = l10n.t('What Pi should do instead (optional)');
  const deny = (target: EventTarget | null) => {
    const field = (target as Element | null)?.closest('.deny-line')?.querySelector('input');
    void page.deny(id, field?.value.trim() ?? '');
  };
  return html`<div class="deny-line">
    <input
      class="deny-words"
      type="text"
      maxlength="2000"
      aria-label=${label}
      placeholder=${label}
      @keydown=${(event: KeyboardEvent) => {
        if (event.key === 'Enter' && !event.isComposing && !event.repeat) {
          event.preventDefault();
          deny(event.target);
        } else if (event.key === 'Escape') {
          event.preventDefault();
          event.stopPropagation();
          page.toggle(denyPart(id));
        }
      }}
    />
    ${sideButton(word, (event: Event) => deny(event.target))}
  </div>`;
}

/** Rules, changes to the call, and why it is asked. */
function moreView(
  approval: ApprovalView,
  decide: (decision: ApprovalDecision) => void,
  page: AgentPage,
): TemplateResult {
  const { id, args, places, why, claims } = approval;
  // no rule can stand for it
  const choices =
    why.kind === 'starts' || why.kind === 'guarded' ? [] : (['session', ...places] as const);
  return html`<div class="approval-choices">
      ${choices.map((choice) => actionLink(choiceLabel(choice, approval), () => decide(choice)))}
      ${actionLink(l10n.t('Edit'), () => page.editArgs(id, args))}
    </div>
    ${ruleScopeView(approval, page)} ${commandParts(approval)} ${whyAsked(approval)}
    ${commandView(approval)}
    ${
      claims.length > 0
        ? html`<p class="dim">${l10n.t('Server says: {0}', claims.join(', '))}</p>`
        : nothing
    }`;
}

function choiceLabel(
  choice: 'session' | ApprovalView['places'][number],
  { isEdit }: ApprovalView,
): string {
  if (choice !== 'session') {
    return scopeLabels[choice]();
  }
  return isEdit ? l10n.t('Allow All Edits in This Conversation') : scopeLabels.conversation();
}

function changeView(change: string): TemplateResult {
  return html`<pre class="args change" tabindex="0" role="group" aria-label=${l10n.t('Changes')}>${change}</pre>`;
}

function effectView({ effect }: ApprovalView): TemplateResult | typeof nothing {
  if (!effect || effect.kind === 'command') {
    return nothing;
  }
  const label =
    effect.kind === 'link' ? l10n.t('A link leads to this file:') : l10n.t('Outside the folder:');
  return labelledText(label, effect.text);
}

/** The shell and all that it gets. */
function commandView({ effect }: ApprovalView): TemplateResult | typeof nothing {
  return effect?.kind === 'command' ? labelledText(l10n.t('Command'), effect.text) : nothing;
}

/** One block, so that a low view shows both. */
function labelledText(label: string, text: string): TemplateResult {
  return html`<pre class="args" tabindex="0" role="group" aria-label=${label}><span class="dim">${label}</span>
${text}</pre>`;
}

/** Of a call whose arguments say nothing else. */
function commandLine({ words, effect }: ApprovalView): string | undefined {
  return words?.kind === 'command' && !words.isPart && effect?.kind === 'command'
    ? words.command
    : undefined;
}

function argumentsEditor(id: string, edited: string, page: AgentPage): TemplateResult {
  return html`<textarea
      class="args-editor"
      spellcheck="false"
      rows=${Math.min(16, edited.split('\n').length + 1)}
      aria-label=${l10n.t('Arguments')}
      .value=${edited}
      @input=${(event: Event) => page.editArgs(id, (event.target as HTMLTextAreaElement).value)}
    ></textarea>
    ${linkButton(l10n.t('Discard Changes'), () => page.editArgs(id, undefined), {
      glyph: 'discard',
    })}`;
}

/** Lines and characters of a command beyond which it is folded. */
const maxLines = 3;
const maxCharacters = 100;

function commandText(id: string, command: string, page: AgentPage): TemplateResult {
  const part = `${id}/whole`;
  const isLong = command.split('\n').length > maxLines || command.length > maxCharacters;
  const isFolded = isLong && !page.state.expanded.has(part);
  return html`<pre
      class=${isFolded ? 'args command-line folded' : 'args command-line'}
      tabindex="0"
      role="group"
      aria-label=${l10n.t('Command')}
    ><span class="dim" aria-hidden="true">$ </span>${command}</pre>
    ${isFolded ? actionLink(l10n.t('Show All'), () => page.toggle(part)) : nothing}`;
}

function argumentsView(
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
        effect?.kind === 'command'
          ? commandText(id, words.command, page)
          : html`<pre class="args" tabindex="0" role="group">${words.command}</pre>`
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

/** Lines of a change that are shown before the user asks for all. */
const changeLines = 8;

function fileChangeView(
  approvalId: string,
  fileChange: FileChangeView,
  page: AgentPage,
): TemplateResult {
  const part = `${approvalId}/whole`;
  return diffView(fileChange, {
    isWhole: page.state.expanded.has(part),
    atFirst: changeLines,
    showAll: () => page.toggle(part),
    open: () => page.run((send) => send('openDiff', { approvalId })),
  });
}

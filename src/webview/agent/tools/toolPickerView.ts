import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { ToolMark, ToolProfileId, ToolRowView } from '../../../protocol/tools/toolChoice.js';
import { iconButton, linkButton } from '../../shared/buttons.js';
import { icon } from '../../shared/icon.js';
import { inputText, rowHeight } from '../../shared/inputs.js';
import { countText } from '../../shared/numbers.js';
import type { AgentPage } from '../agentPage.js';
import type { AgentPageState } from '../pageState.js';
import { countTools, type GroupRow, type PickerRow, type ToolRow } from './toolRows.js';
import { indexOfActive, moveInTree, shownWindow } from './toolTree.js';

/** The tools of the conversation, over its transcript. */
export function toolPicker(
  { tools }: AgentPageState,
  page: AgentPage,
): TemplateResult | typeof nothing {
  if (!tools) {
    return nothing;
  }
  const { view, query } = tools;
  const { picker } = page;
  return html`<section
    class="tools-panel"
    aria-labelledby="tools-title"
    @keydown=${(event: KeyboardEvent) => {
      if (event.key === 'Escape') {
        event.preventDefault();
        event.stopPropagation();
        picker.leave();
      }
    }}
  >
    <div class="tools-head">
      <h2 id="tools-title">${l10n.t('Tools of This Conversation')}</h2>
      ${iconButton(l10n.t('Close'), 'close', () => picker.close(), { keys: 'Esc' })}
    </div>
    ${
      view
        ? html`<p class="tools-sums">${toolCountText(countTools(view))} · ${priceText(view.tokens)}</p>
            <div class="tools-bar">
              <input
                id="tools-search"
                type="text"
                role="searchbox"
                class="text-field tools-search"
                autocomplete="off"
                spellcheck="false"
                placeholder=${l10n.t('Search')}
                aria-label=${l10n.t('Search')}
                aria-controls="tools-tree"
                .value=${query}
                @input=${(event: Event) => picker.search(inputText(event))}
                @keydown=${(event: KeyboardEvent) => {
                  if (event.key === 'ArrowDown') {
                    event.preventDefault();
                    document.getElementById('tools-tree')?.focus();
                  }
                }}
              />
              <div class="tools-profiles" role="group" aria-label=${l10n.t('Profile')}>
                ${profile('all', l10n.t('All'))}
                ${profile('readOnly', l10n.t('Read Only'), l10n.t('Only tools that read, as their servers say.'))}
                ${view.profiles.map(({ id, label, title }) => profile(id, label, title))}
                ${linkButton(l10n.t('Save as Profile…'), () => picker.save(), {
                  id: 'tools-save',
                  glyph: 'save',
                })}
                ${linkButton(l10n.t('Reset'), () => picker.reset(), {
                  id: 'tools-reset',
                  glyph: 'discard',
                  isEnabled: view.profile !== 'all' || view.isChanged,
                })}
              </div>
            </div>
            ${tree(page, tools.active, tools.top)} ${about(page, tools.active)}`
        : html`<p class="dim" role="status">${l10n.t('Loading…')}</p>`
    }
  </section>`;

  function profile(name: ToolProfileId, label: string, title = ''): TemplateResult {
    const isPressed = view?.profile === name && !view.isChanged;
    return html`<button
      type="button"
      class="toggle-button"
      aria-pressed=${isPressed}
      title=${title}
      @click=${() => picker.choose(name)}
    >
      ${label}
    </button>`;
  }
}

function tree(page: AgentPage, active: string | undefined, top: number): TemplateResult {
  const { picker } = page;
  const { rows } = picker;
  const { first, drawn, before, after } = shownWindow(rows, top);
  const at = indexOfActive(rows, active);
  const isDrawn = at >= first && at < first + drawn.length;
  return html`<div
    id="tools-tree"
    class="tools-tree"
    role="tree"
    tabindex="0"
    aria-label=${l10n.t('Tools')}
    aria-activedescendant=${isDrawn ? `tool-row-${at}` : nothing}
    @keydown=${(event: KeyboardEvent) => moveInTree(event, picker, active)}
    @scroll=${(event: Event) => picker.scrollTo(topRow(event.currentTarget as Element))}
  >
    <div role="presentation" .style=${`height:${before}px`}></div>
    ${repeat(
      drawn,
      ({ key }) => key,
      (row, index) => rowView(row, first + index, first + index === at, page),
    )}
    <div role="presentation" .style=${`height:${after}px`}></div>
    ${rows.length === 0 ? html`<p class="dim tools-none">${l10n.t('"{0}" matches nothing', page.state.tools?.query ?? '')}</p>` : nothing}
  </div>`;
}

/** Rounded, so that the page is drawn anew once in some rows. */
function topRow({ scrollTop }: Element): number {
  return Math.floor(scrollTop / rowHeight / 10) * 10;
}

function rowView(
  row: PickerRow,
  index: number,
  isActive: boolean,
  page: AgentPage,
): TemplateResult {
  const { picker } = page;
  const isGroup = row.kind === 'group';
  const checked = isGroup ? row.checked : String(row.tool.isOn);
  return html`<div
    id=${`tool-row-${index}`}
    class="tool-row ${row.kind} ${isActive ? 'active' : ''}"
    role="treeitem"
    data-tool-row=${isGroup ? nameOf(row) : row.tool.name}
    aria-level=${isGroup ? 1 : 2}
    aria-posinset=${row.position}
    aria-setsize=${row.siblings}
    aria-checked=${checked}
    aria-selected=${isActive}
    aria-expanded=${isGroup ? row.isOpen : nothing}
    aria-disabled=${!isGroup && row.tool.locked !== undefined ? 'true' : nothing}
    aria-label=${labelOf(row)}
    title=${isGroup ? nameOf(row) : toolTitle(row.tool)}
    @click=${() => picker.switch(row)}
  >
    ${
      isGroup
        ? html`<span
            class="fold"
            @click=${(event: Event) => {
              event.stopPropagation();
              picker.fold(row.group.server, !row.isOpen);
            }}
            >${icon(row.isOpen ? 'chevron-down' : 'chevron-right')}</span
          >`
        : nothing
    }
    <span class="box">${icon(boxIcon(checked))}</span>
    <span class="row-name">${isGroup ? nameOf(row) : toolName(row.tool)}</span>
    ${isGroup ? groupNotes(row) : toolNotes(row)}
  </div>`;
}

function boxIcon(checked: string): string {
  return checked === 'true' ? 'check' : checked === 'mixed' ? 'dash' : 'blank';
}

function groupNotes({ group, on, tokens }: GroupRow): TemplateResult {
  return html`${group.state === undefined ? nothing : html`<span class="dim row-state">${group.state}</span>`}
    <span class="dim row-count">${l10n.t('{0} of {1}', on, group.tools.length)}</span>
    <span class="dim row-tokens">${countText(tokens)}</span>`;
}

function toolNotes({ tool }: ToolRow): TemplateResult {
  const { mark, locked, tokens } = tool;
  return html`${mark === undefined ? nothing : html`<span class="row-mark ${mark}">${icon(markIcon(mark))}</span>`}
    ${locked === undefined ? nothing : html`<span class="row-mark">${icon('lock')}</span>`}
    <span class="dim row-tokens">${countText(tokens)}</span>`;
}

/** What the row that the keyboard is at has no room for. */
function about({ picker }: AgentPage, active: string | undefined): TemplateResult | typeof nothing {
  const { rows } = picker;
  const row = rows[indexOfActive(rows, active)];
  if (row?.kind !== 'tool') {
    return nothing;
  }
  const { description, mark, locked } = row.tool;
  const notes = [locked ?? '', mark ? markWords[mark]() : ''].filter(Boolean);
  return html`<p class="tools-about">
    ${notes.length > 0 ? html`<strong>${notes.join(' ')}</strong> ` : nothing}<span class="dim"
      >${description}</span
    >
  </p>`;
}

function nameOf({ group }: GroupRow): string {
  return group.server === '' ? l10n.t('Built in') : (group.label ?? group.server);
}

function toolName({ label, name }: ToolRowView): string {
  return label ?? name;
}

function toolTitle(tool: ToolRowView): string {
  const { mark, locked } = tool;
  return [toolName(tool), locked ?? '', mark ? markWords[mark]() : ''].filter(Boolean).join('\n');
}

function labelOf(row: PickerRow): string {
  if (row.kind === 'group') {
    const { group, on, tokens } = row;
    const words = [l10n.t('{0} of {1}', on, group.tools.length), tokensText(tokens)];
    return [nameOf(row), ...(group.state === undefined ? [] : [group.state]), ...words].join(', ');
  }
  const { tool } = row;
  const marks = [tool.mark ? markWords[tool.mark]() : '', tool.locked ?? ''].filter(Boolean);
  return [toolName(tool), tokensText(tool.tokens), ...marks].join(', ');
}

function markIcon(mark: ToolMark): string {
  return mark === 'found' ? 'sparkle' : mark === 'searched' ? 'search' : 'link';
}

const markWords: Readonly<Record<ToolMark, () => string>> = {
  found: () => l10n.t('The model searched for it and has it now.'),
  searched: () => l10n.t('The model has to search for it.'),
  gateway: () => l10n.t('The model calls it through the tool mcp.'),
};

export function toolCountText({ on, all }: { readonly on: number; readonly all: number }): string {
  return l10n.t('{0} of {1} tools', countText(on), countText(all));
}

function priceText({ now, all }: { readonly now: number; readonly all: number }): string {
  return now === all
    ? tokensText(now)
    : l10n.t('{0} tokens in every request, {1} with all', countText(now), countText(all));
}

function tokensText(tokens: number): string {
  return l10n.t('{0} tokens', countText(tokens));
}

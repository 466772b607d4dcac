import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import type { ConfigViewState } from '../../protocol/configProtocol.js';
import { icon } from '../shared/icon.js';
import { isChecked } from '../shared/inputs.js';
import { argsEditor } from './argsEditor.js';
import type { ConfigPage } from './configPage.js';
import { selectField, textField } from './fields.js';
import type { FormDraft } from './formDraft.js';
import type { OpenForm } from './pageState.js';
import { pairsEditor } from './pairsEditor.js';

export function formView(form: OpenForm, view: ConfigViewState, page: ConfigPage): TemplateResult {
  const { draft } = form;
  const isNew = draft.serverId === undefined;
  return html`<form
    novalidate
    aria-labelledby="form-title"
    @submit=${(event: Event) => event.preventDefault()}
    @keydown=${(event: KeyboardEvent) => {
      if (event.key === 'Escape') {
        page.cancel();
      }
    }}
  >
    <h1 id="form-title" tabindex="-1">
      ${isNew ? l10n.t('Add Server') : l10n.t('Edit Server "{0}"', form.original.name)}
    </h1>
    ${problemSummary(form)} ${isNew ? poolField(form, view, page) : nothing} ${kindField(draft, page)}
    ${textField(form, page, 'name', {
      label: l10n.t('Name'),
      hint: l10n.t('The agent sees it in front of the names of the tools.'),
      placeholder: 'memory',
    })}
    ${draft.kind === 'stdio' ? stdioFields(form, page) : httpFields(form, page)}
    ${moreOptions(form, page)} ${buttons(form, page)}
  </form>`;
}

function problemSummary({ problems }: OpenForm): TemplateResult | typeof nothing {
  if (problems.length === 0) {
    return nothing;
  }
  return html`<div id="form-problems" class="banner error" role="alert" tabindex="-1">
    ${icon('error')}
    <ul>
      ${problems.map(({ message, remedy }) => html`<li>${message} ${remedy}</li>`)}
    </ul>
  </div>`;
}

function poolField(form: OpenForm, view: ConfigViewState, page: ConfigPage): TemplateResult {
  const pool = view.pools.find(({ id }) => id === form.draft.poolId);
  return html`${selectField({
    id: 'field-pool',
    label: l10n.t('Where'),
    value: form.draft.poolId,
    options: view.pools.map(({ id, label }) => ({ value: id, label })),
    onChange: (poolId) => page.changeDraft({ poolId }),
    ...(pool ? { hint: l10n.t('Saved in {0}', pool.file) } : {}),
  })}`;
}

function kindField(draft: FormDraft, page: ConfigPage): TemplateResult {
  const choose = (kind: FormDraft['kind']) => page.changeDraft({ kind });
  const choice = (
    kind: FormDraft['kind'],
    label: string,
    hint: string,
  ) => html`<label class="choice">
    <input
      type="radio"
      name="kind"
      value=${kind}
      .checked=${live(draft.kind === kind)}
      @change=${() => choose(kind)}
    />
    <span>${label}<span class="dim">${hint}</span></span>
  </label>`;
  return html`<fieldset class="field kind">
    <legend>${l10n.t('Kind')}</legend>
    ${choice('stdio', l10n.t('Local (stdio)'), l10n.t('A program on this machine'))}
    ${choice('http', l10n.t('Remote (HTTP)'), l10n.t('A server with a URL'))}
  </fieldset>`;
}

function stdioFields(form: OpenForm, page: ConfigPage): TemplateResult {
  return html`${textField(form, page, 'command', {
    label: l10n.t('Command'),
    hint: l10n.t('The program alone; its arguments follow below.'),
    placeholder: 'npx',
  })}
  ${argsEditor(form.draft.args, page)}
  ${pairsEditor('env', form, page)}`;
}

function httpFields(form: OpenForm, page: ConfigPage): TemplateResult {
  return html`${textField(form, page, 'url', {
    label: l10n.t('URL'),
    placeholder: 'https://example.com/mcp',
  })}
  ${pairsEditor('headers', form, page)}`;
}

function moreOptions(form: OpenForm, page: ConfigPage): TemplateResult {
  const { draft } = form;
  return html`<details
    class="more"
    .open=${live(form.showsMoreOptions)}
    @toggle=${(event: Event) => {
      const { open } = event.currentTarget as HTMLDetailsElement;
      if (open !== form.showsMoreOptions) {
        page.changeForm({ showsMoreOptions: open });
      }
    }}
  >
    <summary>${l10n.t('More options')}</summary>
    ${draft.kind === 'stdio' ? stdioOptions(form, page) : httpOptions(form, page)}
    ${selectField({
      id: 'field-lifecycle',
      label: l10n.t('Connects'),
      value: draft.lifecycle,
      options: [
        { value: '', label: l10n.t('Default (on first use)') },
        { value: 'lazy', label: l10n.t('On first use') },
        { value: 'eager', label: l10n.t('At start') },
        { value: 'keep-alive', label: l10n.t('At start, and stays connected') },
        { value: 'lazy-keep-alive', label: l10n.t('On first use, and stays connected') },
      ],
      onChange: (lifecycle) => page.changeDraft({ lifecycle }),
    })}
    ${textField(form, page, 'idleTimeout', {
      label: l10n.t('Stop when unused for (minutes)'),
      hint: l10n.t('0 means never.'),
      placeholder: '10',
    })}
    ${textField(form, page, 'startupTimeoutMs', {
      label: l10n.t('Connect timeout (milliseconds)'),
      placeholder: '30000',
    })}
    ${textField(form, page, 'requestTimeoutMs', {
      label: l10n.t('Request timeout (milliseconds)'),
      placeholder: '60000',
    })}
  </details>`;
}

function stdioOptions(form: OpenForm, page: ConfigPage): TemplateResult {
  return textField(form, page, 'cwd', {
    label: l10n.t('Working directory'),
    hint: l10n.t('Without one the server runs in its folder.'),
    placeholder: '${workspaceFolder}',
  });
}

function httpOptions({ draft }: OpenForm, page: ConfigPage): TemplateResult {
  return html`${selectField({
    id: 'field-transport',
    label: l10n.t('Transport'),
    value: draft.transport,
    options: [
      { value: '', label: l10n.t('Default (automatic)') },
      { value: 'auto', label: l10n.t('Automatic: Streamable HTTP, then SSE') },
      { value: 'streamable-http', label: l10n.t('Streamable HTTP only') },
      { value: 'sse', label: l10n.t('SSE only') },
    ],
    onChange: (transport) => page.changeDraft({ transport }),
  })}
  <div class="field">
    <vscode-checkbox
      .checked=${live(draft.ignoreCertificateErrors)}
      @change=${(event: Event) => page.changeDraft({ ignoreCertificateErrors: isChecked(event) })}
      >${l10n.t('Accept invalid certificates')}</vscode-checkbox
    >
    ${
      draft.ignoreCertificateErrors
        ? html`<p class="warning-line">${icon('warning')}<span
            >${l10n.t('Anyone on the network can then read and change what the server says.')}</span
          ></p>`
        : nothing
    }
  </div>`;
}

function buttons(form: OpenForm, page: ConfigPage): TemplateResult {
  if (form.asksToDiscard) {
    return html`<div class="form-buttons" role="group" aria-labelledby="discard-question">
      <p id="discard-question">${l10n.t('Discard your changes?')}</p>
      <vscode-button id="keep-editing" @click=${() => page.changeForm({ asksToDiscard: false })}
        >${l10n.t('Keep Editing')}</vscode-button
      >
      <vscode-button appearance="secondary" @click=${() => page.discard()}
        >${l10n.t('Discard')}</vscode-button
      >
    </div>`;
  }
  return html`<div class="form-buttons">
    <vscode-button ?disabled=${form.isSaving} @click=${() => page.save(false)}
      >${l10n.t('Save')}</vscode-button
    >
    <vscode-button appearance="secondary" ?disabled=${form.isSaving} @click=${() => page.save(true)}
      >${l10n.t('Save and Test')}</vscode-button
    >
    <vscode-button appearance="secondary" @click=${() => page.cancel()}
      >${l10n.t('Cancel')}</vscode-button
    >
  </div>`;
}

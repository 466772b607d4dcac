import * as l10n from '@vscode/l10n';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { showHidden } from '../../base/text/showHidden.js';
import type { MissingTool, RunToolView } from '../../protocol/tools/runTool.js';
import { boxField } from '../form/fieldParts.js';
import { fieldView } from '../form/fieldView.js';
import type { FormContext } from '../form/formContext.js';
import type { Announcer } from '../shared/announcer.js';
import { linkButton, plainButton, withKeys } from '../shared/buttons.js';
import { errorBanner, icon } from '../shared/icon.js';
import { isChecked } from '../shared/inputs.js';
import { historyView } from './historyView.js';
import { endText, outcomeView } from './outcomeView.js';
import type { ToolOnPage } from './runStates.js';
import type { RunToolPage } from './runToolPage.js';

/** Draws the page, and leads to what is wrong. */
export class PageView {
  private refusals = 0;
  private saidEnd: unknown;

  readonly root = document.createElement('div');

  constructor(private readonly announcer: Announcer) {}

  update(page: RunToolPage): void {
    render(template(page), this.root);
    if (page.refusals !== this.refusals) {
      this.refusals = page.refusals;
      requestAnimationFrame(() => document.getElementById('problems')?.focus());
    }
    const { lastRun } = page;
    const outcome = lastRun.kind === 'answered' ? lastRun.outcome : undefined;
    if (outcome && outcome !== this.saidEnd) {
      this.announcer.say(endText(outcome));
      requestAnimationFrame(() =>
        document.getElementById('result')?.scrollIntoView({ block: 'nearest' }),
      );
    }
    this.saidEnd = outcome;
  }
}

function template(page: RunToolPage): TemplateResult {
  const { tool, error } = page;
  const body = () => {
    switch (tool.kind) {
      case 'unknown':
        return loading(error);
      case 'missing':
        return missingView(tool.missing, page);
      case 'offered':
        return pageBody(tool, page);
    }
  };
  return html`${errorBanner(error)} ${body()}`;
}

function loading(error: string | undefined): TemplateResult | typeof nothing {
  return error
    ? nothing
    : html`<p class="loading">${icon('loading~spin')}<span>${l10n.t('Loading…')}</span></p>`;
}

/** Where there is nothing to run. */
function missingView(missing: MissingTool, page: RunToolPage): TemplateResult {
  const { tool, text, isConnectable } = missing;
  return html`<header>
      <h2>${showHidden(tool)}</h2>
    </header>
    <div class="banner warning" role="status">${icon('warning')}<p>${text}</p></div>
    ${
      isConnectable
        ? html`<div class="form-buttons">
            ${plainButton('primary', l10n.t('Start'), () => void page.connect())}
          </div>`
        : nothing
    }`;
}

function pageBody({ view, newer }: ToolOnPage, page: RunToolPage): TemplateResult {
  const form: FormContext = {
    problems: page.fieldProblems,
    combo: page.combo,
    sendsEmptyTexts: true,
    mayEditJson: true,
    draw: (draft) => fieldView(draft, form),
    changed: () => page.formChanged(),
    pickFile: (draft) => void page.pickFile(draft),
  };
  return html`<header>
      <h2>${showHidden(view.title ?? view.name)}</h2>
      ${view.title ? html`<p class="dim"><code>${showHidden(view.name)}</code></p>` : nothing}
      ${view.description ? html`<p class="description">${view.description}</p>` : nothing}
    </header>
    ${newer ? newerBanner(newer, page) : nothing}
    <form
      class="schema-form"
      novalidate
      aria-label=${l10n.t('Arguments')}
      @submit=${(event: Event) => event.preventDefault()}
      @keydown=${(event: KeyboardEvent) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
          event.preventDefault();
          void page.run();
        }
      }}
    >
      <div class="columns">
        <section class="arguments" aria-label=${l10n.t('Form')}>${form.draw(page.root)}</section>
        <section class="beside" aria-label=${l10n.t('JSON')}>${jsonBox(page)}</section>
      </div>
      ${advanced(view, page)}
      <div class="form-foot">
        ${summary(page)}
        ${view.warning ? html`<p class="warning-line">${icon('warning')}<span>${view.warning}</span></p>` : nothing}
        ${view.task ? taskSwitch(view.task, page) : nothing} ${buttons(page)} ${progressView(page)}
      </div>
    </form>
    ${outcomeView(page)} ${historyView(view, page)}`;
}

function newerBanner({ view }: NonNullable<ToolOnPage['newer']>, page: RunToolPage) {
  return html`<div class="banner warning" role="status">
    ${icon('warning')}
    <p>
      ${
        view
          ? l10n.t('The server has changed the tool. What you wrote goes into the new form.')
          : l10n.t('The server does not offer this tool any more.')
      }
    </p>
    ${view ? plainButton('secondary', l10n.t('Show New Form'), () => page.takeNewer()) : nothing}
  </div>`;
}

function jsonBox(page: RunToolPage): TemplateResult {
  return boxField(
    {
      id: 'json',
      title: l10n.t('Arguments as JSON'),
      hint: page.hidesSecrets
        ? l10n.t('"‹hidden 1›" and the like are secrets of the form; the secrets are sent.')
        : undefined,
      problems: page.jsonProblem ? [page.jsonProblem] : [],
      text: page.json,
      rows: Math.min(24, Math.max(8, page.json.split('\n').length + 1)),
      className: 'json-box',
    },
    (json) => page.typeJson(json),
    html`<div class="field-actions">
        ${linkButton(l10n.t('Copy as JSON'), () => page.copy('json'), { glyph: 'copy' })}
        ${linkButton(l10n.t('Copy as Command Line'), () => page.copy('cli'), { glyph: 'terminal' })}
        ${
          page.view?.hasGateway
            ? linkButton(l10n.t('Copy as curl'), () => page.copy('curl'), { glyph: 'globe' })
            : nothing
        }
      </div>
      <p class="hint copied" role="status">${copiedText(page)}</p>`,
  );
}

function copiedText({ copied }: RunToolPage): string {
  if (!copied) {
    return '';
  }
  const places = copied.leftOut
    .slice(0, 20)
    .map(({ name, place }) => `${showHidden(name)} (${place})`)
    .join(', ');
  if (places === '') {
    return l10n.t('Copied');
  }
  return copied.as === 'json'
    ? l10n.t('Copied without secrets. Replaced: {0}', places)
    : l10n.t(
        'Copied without secrets. Set these variables before you run it, as JSON has them between quotes: {0}',
        places,
      );
}

function advanced(view: RunToolView, page: RunToolPage): TemplateResult {
  return html`<details class="group" ?open=${page.wasTried && page.advancedIsWrong}>
    <summary><span class="group-name">${l10n.t('Advanced')}</span></summary>
    <div class="group-fields">
      ${boxField(
        {
          id: 'timeout',
          title: l10n.t('Time-Out in Seconds'),
          hint: l10n.t('Resets on progress.'),
          text: page.timeout,
          isNumber: true,
          placeholder: String(view.timeoutMs / 1000),
        },
        (timeout) => page.typeAdvanced({ timeout }),
      )}
      ${boxField(
        {
          id: 'meta',
          title: html`<code>_meta</code>`,
          hint: l10n.t('A JSON object that goes with the request.'),
          text: page.meta,
          rows: 3,
          className: 'json-box',
          placeholder: '{ "example.com/trace": "1" }',
        },
        (meta) => page.typeAdvanced({ meta }),
      )}
    </div>
  </details>`;
}

/** Where the focus goes when a run was refused. */
function summary(page: RunToolPage): TemplateResult | typeof nothing {
  const { problems } = page;
  if (!page.wasTried || problems.length === 0) {
    return nothing;
  }
  return html`<div id="problems" class="banner error" tabindex="-1" role="group" aria-label=${l10n.t('Problems')}>
    ${icon('error')}
    <div>
      <ul>
        ${problems.slice(0, 20).map(
          ({ controlId, title, text }) => html`<li>
            ${linkButton(`${title}: ${text}`, () => document.getElementById(controlId)?.focus())}
          </li>`,
        )}
      </ul>
    </div>
  </div>`;
}

function taskSwitch(task: NonNullable<RunToolView['task']>, page: RunToolPage): TemplateResult {
  const isRequired = task === 'required';
  return html`<div class="task-switch">
    <label>
      <input
        type="checkbox"
        aria-describedby="task-hint"
        ?disabled=${isRequired}
        .checked=${live(isRequired || page.asTask !== false)}
        @change=${(event: Event) => page.typeAdvanced({ asTask: isChecked(event) })}
      />
      ${l10n.t('Run as Task')}
    </label>
    <p class="hint dim" id="task-hint">${l10n.t('A task outlasts a lost connection where the server keeps it.')}</p>
  </div>`;
}

function buttons(page: RunToolPage): TemplateResult {
  const stop = html`${icon('debug-stop')} ${l10n.t('Cancel')}`;
  const start = html`${icon('play')} ${l10n.t('Run')}`;
  const title = withKeys(l10n.t('Run'), l10n.t('Ctrl+Enter'));
  return html`<div class="form-buttons">
    ${
      page.lastRun.kind === 'running'
        ? plainButton('secondary', stop, () => page.cancel(), { id: 'cancel' })
        : plainButton('primary', start, () => void page.run(), { id: 'run', title })
    }
  </div>`;
}

function progressView({ lastRun }: RunToolPage): TemplateResult | typeof nothing {
  if (lastRun.kind !== 'running') {
    return nothing;
  }
  const { progress } = lastRun;
  return html`<div class="progress" role="status">
    ${icon('loading~spin')}
    <span>${progress ? showHidden(progress.text) : l10n.t('Working…')}</span>
    ${
      progress?.share === undefined
        ? nothing
        : html`<progress aria-label=${l10n.t('Progress')} max="1" .value=${progress.share}></progress>`
    }
  </div>`;
}

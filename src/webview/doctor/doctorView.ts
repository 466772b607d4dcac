import * as l10n from '@vscode/l10n';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { showHidden, showHiddenInLine } from '../../base/text/showHidden.js';
import type {
  DoctorFact,
  DoctorLeftover,
  DoctorReport,
  DoctorServer,
} from '../../protocol/doctor/doctorProtocol.js';
import type { Announcer } from '../shared/announcer.js';
import { linkButton, mainButton, sideButton } from '../shared/buttons.js';
import { banner, errorBanner } from '../shared/icon.js';
import { repeatById } from '../shared/repeatById.js';
import type { DoctorPage, DoctorPageState } from './doctorPage.js';

/** Draws the page and says what screen readers would miss. */
export class DoctorView {
  private readonly root = document.getElementById('root') ?? document.body;
  private shown: DoctorPageState | undefined;

  constructor(
    private readonly page: DoctorPage,
    private readonly announcer: Announcer,
  ) {}

  update(state: DoctorPageState): void {
    const before = this.shown;
    this.shown = state;
    render(template(state, this.page), this.root);
    if (state.ending && state.ending !== before?.ending) {
      this.announcer.say(state.ending.text);
    } else if (state.copies > (before?.copies ?? 0)) {
      this.announcer.say(l10n.t('Copied'));
    } else if (before?.isLooking && !state.isLooking && state.report) {
      this.announcer.say(countText(state.report));
    }
  }
}

function template(state: DoctorPageState, page: DoctorPage): TemplateResult {
  const { report, isLooking, copies, error } = state;
  return html`<main>
    <header>
      <h1>${l10n.t('Doctor')}</h1>
      <span class="buttons">
        ${mainButton(l10n.t('Copy Report'), () => void page.copy(), {
          isEnabled: report !== undefined,
        })}
        ${sideButton(l10n.t('Refresh'), () => void page.look(), { isEnabled: !isLooking })}
        ${
          isLooking
            ? html`<vscode-progress-ring aria-label=${l10n.t('Loading…')}></vscode-progress-ring>`
            : copies > 0
              ? html`<span class="dim">${l10n.t('Copied')}</span>`
              : nothing
        }
      </span>
      <p class="dim">
        ${l10n.t('Secrets are masked. Looking starts no server.')}
      </p>
    </header>
    ${errorBanner(error && showHidden(error))}
    ${report ? reportView(report, state, page) : nothing}
  </main>`;
}

function reportView(
  report: DoctorReport,
  state: DoctorPageState,
  page: DoctorPage,
): TemplateResult {
  const { isRestricted, servers, files, doubleStarts, machine, versions, calls } = report;
  return html`
    ${
      isRestricted
        ? banner('warning', l10n.t('Restricted Mode: nothing in this workspace is started.'))
        : nothing
    }
    <section aria-labelledby="servers">
      <h2 id="servers">${l10n.t('Servers')}</h2>
      <p class="dim">${countText(report)}</p>
      <ul>
        ${repeatById(
          servers.filter(({ needsUser }) => needsUser),
          (server) => serverLine(server, page),
        )}
      </ul>
    </section>
    ${
      files.length === 0
        ? nothing
        : html`<section aria-labelledby="files">
            <h2 id="files">${l10n.t('Files')}</h2>
            ${factList(files.map(({ path, message }) => ({ label: path, text: message })))}
          </section>`
    }
    ${leftoversView(report.leftovers ?? [], state, page)}
    ${factSection(
      'twice',
      l10n.t('Also Running Elsewhere'),
      doubleStarts.map(({ server, text }) => ({ label: server, text })),
    )}
    ${factSection('machine', l10n.t('PATH and shell'), machine)}
    ${factSection('versions', l10n.t('Versions'), versions)}
    ${factSection('calls', l10n.t('Calls'), calls)}
  `;
}

/** What is wrong, and what helps, is on the page of the server. */
function serverLine(server: DoctorServer, page: DoctorPage): TemplateResult {
  const { id, name, reason } = server;
  return html`<li>
    ${linkButton(showHiddenInLine(name), () => page.openServer(id), { glyph: server.icon })}
    <span class="dim">${showHiddenInLine(reason)}</span>
  </li>`;
}

function factList(facts: readonly DoctorFact[]): TemplateResult {
  return html`<dl>
    ${facts.map(
      ({ label, text }) => html`<div>
        <dt>${showHiddenInLine(label)}</dt>
        <dd>${showHidden(text)}</dd>
      </div>`,
    )}
  </dl>`;
}

function factSection(
  id: string,
  title: string,
  facts: readonly DoctorFact[],
): TemplateResult | typeof nothing {
  return facts.length === 0
    ? nothing
    : html`<section aria-labelledby=${id}>
        <h2 id=${id}>${title}</h2>
        ${factList(facts)}
      </section>`;
}

function leftoversView(
  leftovers: readonly DoctorLeftover[],
  { ending, isEnding }: DoctorPageState,
  page: DoctorPage,
): TemplateResult | typeof nothing {
  if (leftovers.length === 0 && !ending) {
    return nothing;
  }
  return html`<section aria-labelledby="left">
    <h2 id="left">${l10n.t('Orphaned Servers')}</h2>
    ${ending ? banner(ending.isWarning ? 'warning' : 'info', showHidden(ending.text)) : nothing}
    ${
      leftovers.length === 0
        ? nothing
        : html`<p>
              ${l10n.t('Still running after their window closed.')}
            </p>
            <ul class="cards">
              ${repeat(
                leftovers,
                ({ key }) => key,
                ({ command, facts }) => html`<li class="card">
                  <h3><code>${showHiddenInLine(command)}</code></h3>
                  ${factList(facts)}
                </li>`,
              )}
            </ul>
            ${mainButton(l10n.t('Stop Them'), () => void page.endLeftovers(), {
              isEnabled: !isEnding,
            })}`
    }
  </section>`;
}

function countText({ servers }: DoctorReport): string {
  if (servers.length === 0) {
    return l10n.t('No MCP server is configured.');
  }
  const count = servers.filter(({ needsUser }) => needsUser).length;
  return l10n.t('{0} of {1} servers need attention.', count, servers.length);
}

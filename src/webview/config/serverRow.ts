import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { nameToken } from '../../base/text/nameToken.js';
import type { ConfigServerView } from '../../protocol/configProtocol.js';
import { checkBox, linkButton, sideButton } from '../shared/buttons.js';
import { icon, picture } from '../shared/icon.js';
import type { ConfigPage } from './configPage.js';

/** One line; the page of the server has the rest. */
export function serverRow(server: ConfigServerView, page: ConfigPage): TemplateResult {
  const { id, name, state, fix } = server;
  const effect = page.staged.has(id) ? page.preview?.effects[id] : undefined;
  const memory = Object.hasOwn(page.memory, id) ? page.memory[id] : undefined;
  return html`<li class="server" data-state=${state} data-server=${name} ?data-staged=${page.staged.has(id)}>
    ${checkBox(
      html`<span class="visually-hidden">${l10n.t('Enabled')}: ${name}</span>`,
      page.staged.get(id) ?? server.enabled,
      (isWanted) => page.stage(server, isWanted),
    )}
    ${icon(server.icon, 'state-icon')} ${picture(server.picture)}
    <h3>
      ${linkButton(name, () => page.run((send) => send('openServer', { id })))}
    </h3>
    <span class="reason">${effect ?? server.reason}</span>
    <span class="dim">${server.tools}</span>
    ${memory === undefined ? nothing : html`<span class="dim memory">${memory}</span>`}
    <span class="dim kind-word">${serverKindWords[server.kind]()}</span>
    ${
      fix
        ? sideButton(fix, () => page.run((send) => send('fixServer', { id })), {
            label: l10n.t('{0}: server {1}', fix, nameToken(name)),
          })
        : nothing
    }
  </li>`;
}

const serverKindWords: Readonly<Record<ConfigServerView['kind'], () => string>> = {
  stdio: () => l10n.t('Local (stdio)'),
  http: () => l10n.t('Remote (HTTP)'),
  invalid: () => '',
};

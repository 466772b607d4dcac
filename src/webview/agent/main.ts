import '../../../media/webview/agent.css';
import { nameToken } from '../../base/text/nameToken.js';
import '../shared/components.js';
import * as l10n from '@vscode/l10n';
import type { AgentEvents, AgentRequests } from '../../protocol/agentProtocol.js';
import { Announcer } from '../shared/announcer.js';
import { followTheme } from '../shared/diagrams/diagram.js';
import { focusLater } from '../shared/inputs.js';
import { connect, loadL10n } from '../shared/vscodeApi.js';
import { AgentPage } from './agentPage.js';
import { AgentView } from './agentView.js';
import { asideOnKey } from './asideCard.js';
import { stopOnKey } from './calls/approvalAttention.js';
import { closeModesOnClick, modeOnKey } from './composer/modeMenu.js';
import { findOnKey } from './find/findBar.js';
import { backOnKey } from './messages/backKey.js';
import { ring } from './ring.js';
import { walkOnKey } from './transcript/entryKeys.js';

loadL10n();

const channel = connect<AgentRequests, AgentEvents>({
  snapshot: (snapshot) => page.receiveSnapshot(snapshot),
  state: (state) => page.receiveState(state),
  inputs: (inputs) => page.receiveInputs(inputs),
  icons: (icons) => page.change({ icons }),
  start: (start) => page.change({ start }),
  suggestion: ({ text, server }) => {
    page.sending.suggest(text);
    announcer.say(
      l10n.t('An app suggests a message: {0}\nMCP server of the app: {1}', text, nameToken(server)),
    );
    focusLater('#composer-text');
  },
  entries: (entries) => page.receiveEntries(entries),
  find: () => page.finding.open(),
  ring: (kind) => void ring(kind).catch(() => undefined),
});
const announcer = new Announcer();
const page: AgentPage = new AgentPage(
  (type, params) => channel.request(type, params),
  (state) => view.update(state),
);
const view: AgentView = new AgentView(page, announcer);

view.update(page.state);
void page.start();

document.addEventListener('keydown', (event) => findOnKey(event, page));
document.addEventListener('keydown', (event) => modeOnKey(event, page));
closeModesOnClick(page);
// Escape leads back to the input before it stops
document.addEventListener('keydown', walkOnKey);
document.addEventListener('keydown', (event) => asideOnKey(event, page));
document.addEventListener('keydown', backOnKey(page));
document.addEventListener('keydown', (event) => stopOnKey(event, page, announcer));

followTheme(document.body);

document.addEventListener('dragenter', (event) => page.intake.drag(event));
document.addEventListener('dragover', (event) => page.intake.drag(event));
document.addEventListener('dragleave', (event) => event.relatedTarget ?? page.intake.endDrag());
document.addEventListener('drop', (event) => page.intakeAt(event.target).drop(event));

// VS Code keeps the key of the search for the page while the page has the keys
const tellFocus = (isFocused: boolean) => () =>
  void channel.request('pageFocus', { isFocused }).catch(() => undefined);
window.addEventListener('focus', tellFocus(true));
window.addEventListener('blur', tellFocus(false));
if (document.hasFocus()) {
  tellFocus(true)();
}

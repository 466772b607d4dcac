import './components.js';
import type { AgentEvents, AgentRequests } from '../../protocol/agentProtocol.js';
import { Announcer } from '../shared/announcer.js';
import { loadL10n } from '../shared/loadL10n.js';
import { connect } from '../shared/vscodeApi.js';
import { AgentPage } from './agentPage.js';
import { AgentView } from './agentView.js';

loadL10n();

const channel = connect<AgentRequests, AgentEvents>({
  snapshot: (snapshot) => page.receiveSnapshot(snapshot),
  state: (state) => page.receiveState(state),
  inputs: (inputs) => page.receiveInputs(inputs),
  icons: (icons) => page.receiveIcons(icons),
  suggestion: ({ text }) => page.receiveSuggestion(text),
  entries: (entries) => page.receiveEntries(entries),
});
const page: AgentPage = new AgentPage(
  (type, params) => channel.request(type, params),
  (state) => view.update(state),
);
const view: AgentView = new AgentView(page, new Announcer());

view.update(page.state);
void page.start();

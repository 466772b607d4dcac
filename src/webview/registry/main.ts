import '../../../media/webview/registry.css';
import './components.js';
import type { RegistryEvents, RegistryRequests } from '../../protocol/registry/registryProtocol.js';
import { Announcer } from '../shared/announcer.js';
import { loadL10n } from '../shared/loadL10n.js';
import { connect } from '../shared/vscodeApi.js';
import { RegistryPage } from './registryPage.js';
import { RegistryView } from './registryView.js';

loadL10n();

const channel = connect<RegistryRequests, RegistryEvents>({
  linked: (details) => page.show(details),
  places: (places) => page.changePlaces(places),
});
const page: RegistryPage = new RegistryPage(
  (type, params) => channel.request(type, params),
  (state) => view.update(state),
);
const view: RegistryView = new RegistryView(page, new Announcer());

view.update(page.state);
void page.start();

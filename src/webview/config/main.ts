import '../../../media/webview/config.css';
import './components.js';
import type { ConfigEvents, ConfigRequests } from '../../protocol/configProtocol.js';
import { Announcer } from '../shared/announcer.js';
import { loadL10n } from '../shared/loadL10n.js';
import { connect } from '../shared/vscodeApi.js';
import { ConfigPage } from './configPage.js';
import { ConfigPageView } from './pageView.js';

loadL10n();

const channel = connect<ConfigRequests, ConfigEvents>({
  state: (state) => page.receive(state),
  edit: ({ poolId, id }) => page.edit(poolId, id),
});
const page: ConfigPage = new ConfigPage(
  (type, params) => channel.request(type, params),
  (state) => view.update(state),
);
const view: ConfigPageView = new ConfigPageView(page, new Announcer());

view.update(page.state);
void page.start();

import '../../../media/webview/server.css';
import '../shared/components.js';
import type { ServerPageEvents, ServerPageRequests } from '../../protocol/server/serverProtocol.js';
import { Announcer } from '../shared/announcer.js';
import { followTheme } from '../shared/diagrams/diagram.js';
import { connect, loadL10n } from '../shared/vscodeApi.js';
import { ServerPage } from './serverPage.js';
import { ServerPageView } from './serverPageView.js';

loadL10n();

const channel = connect<ServerPageRequests, ServerPageEvents>({
  view: (view) => page.receive(view),
  show: (place) => page.show(place),
});
const page: ServerPage = new ServerPage(
  (type, params) => channel.request(type, params),
  () => view.update(),
);
const view: ServerPageView = new ServerPageView(page, new Announcer());

view.update();
void page.start();
followTheme(document.body);

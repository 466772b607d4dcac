import '../../../media/webview/inspector.css';
import './components.js';
import type {
  InspectorEvents,
  InspectorRequests,
} from '../../protocol/inspector/inspectorProtocol.js';
import { Announcer } from '../shared/announcer.js';
import { loadL10n } from '../shared/loadL10n.js';
import { connect } from '../shared/vscodeApi.js';
import { InspectorPage } from './inspectorPage.js';
import { InspectorPageView } from './pageView.js';

loadL10n();

const channel = connect<InspectorRequests, InspectorEvents>({
  rows: (change) => page.receiveRows(change),
  view: (view) => page.receiveView(view),
});
const page: InspectorPage = new InspectorPage(
  (type, params) => channel.request(type, params),
  () => view.request(),
);
const view: InspectorPageView = new InspectorPageView(page, new Announcer());

view.request();
void page.start();

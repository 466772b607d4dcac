import '../../../media/webview/runTool.css';
import type { RunToolEvents, RunToolRequests } from '../../protocol/tools/runTool.js';
import { Announcer } from '../shared/announcer.js';
import { followTheme } from '../shared/diagrams/diagram.js';
import { loadL10n } from '../shared/loadL10n.js';
import { connect } from '../shared/vscodeApi.js';
import { RunToolPage } from './runToolPage.js';
import { PageView } from './runToolView.js';

loadL10n();

const channel = connect<RunToolRequests, RunToolEvents>({
  progress: (progress) => page.receive(progress),
  changed: (newer) => page.offerNewer(newer),
  missing: (missing) => page.receiveMissing(missing),
});
const view = new PageView(new Announcer());
const page: RunToolPage = new RunToolPage(
  (type, params) => channel.request(type, params),
  () => view.update(page),
);

view.update(page);
void page.start();
followTheme(document.body);

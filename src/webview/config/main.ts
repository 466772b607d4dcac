import '../../../media/webview/config.css';
import '../shared/components.js';
import type { ConfigEvents, ConfigRequests } from '../../protocol/configProtocol.js';
import { Announcer } from '../shared/announcer.js';
import { connect, loadL10n, readSavedState, saveState } from '../shared/vscodeApi.js';
import { ConfigPage, savedStaged } from './configPage.js';
import { ConfigPageView } from './pageView.js';

loadL10n();

const channel = connect<ConfigRequests, ConfigEvents>({ state: (state) => page.receive(state) });
const page: ConfigPage = new ConfigPage(
  (type, params) => channel.request(type, params),
  () => view.update(page),
  savedStaged(readSavedState()),
  (staged) => saveState({ staged: [...staged] }),
);
const view = new ConfigPageView(new Announcer());

view.update(page);
void page.start();

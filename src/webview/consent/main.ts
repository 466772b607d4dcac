import '../../../media/webview/consent.css';
import '../shared/components.js';
import type { ConsentEvents, ConsentRequests } from '../../protocol/consent/consentProtocol.js';
import { Announcer } from '../shared/announcer.js';
import { connect, loadL10n, readSavedState, saveState } from '../shared/vscodeApi.js';
import { ConsentPage } from './consentPage.js';
import { ConsentPageView } from './consentView.js';
import { copyExactly } from './exactCopy.js';

loadL10n();

const channel = connect<ConsentRequests, ConsentEvents>({
  view: (view) => page.receive(view),
});
const page: ConsentPage = new ConsentPage(
  (type, params) => channel.request(type, params),
  (state) => view.update(state),
  saveState,
  readSavedState(),
);
const view: ConsentPageView = new ConsentPageView(page, new Announcer());

copyExactly();
view.update(page.state);
void page.look();

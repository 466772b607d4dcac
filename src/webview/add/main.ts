import '../../../media/webview/add.css';
import '../shared/components.js';
import type { AddEvents, AddRequests } from '../../protocol/add/addProtocol.js';
import { Announcer } from '../shared/announcer.js';
import { connect, loadL10n } from '../shared/vscodeApi.js';
import { AddPage } from './addPage.js';
import { AddView } from './addView.js';

loadL10n();

const channel = connect<AddRequests, AddEvents>({
  shown: (reading) => page.show(reading),
  places: (places) => page.changePlaces(places),
});
const page: AddPage = new AddPage(
  (type, params) => channel.request(type, params),
  () => view.update(),
);
const view: AddView = new AddView(page, new Announcer());

view.update();
void page.start();

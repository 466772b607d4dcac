import '../../../media/webview/doctor.css';
import '../shared/components.js';
import type { DoctorEvents, DoctorRequests } from '../../protocol/doctor/doctorProtocol.js';
import { Announcer } from '../shared/announcer.js';
import { connect, loadL10n } from '../shared/vscodeApi.js';
import { DoctorPage } from './doctorPage.js';
import { DoctorView } from './doctorView.js';

loadL10n();

const channel = connect<DoctorRequests, DoctorEvents>({
  report: (report) => page.receive(report),
});
const page: DoctorPage = new DoctorPage(
  (type, params) => channel.request(type, params),
  (state) => view.update(state),
);
const view: DoctorView = new DoctorView(page, new Announcer());

view.update(page.state);
void page.look();

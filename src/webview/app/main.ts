import '../../../media/webview/app.css';
import * as l10n from '@vscode/l10n';
import type { AppEvents, AppRequests, AppStatus } from '../../protocol/appProtocol.js';
import { connect, loadL10n } from '../shared/vscodeApi.js';
import { AppFrame } from './appFrame.js';
import { readSurroundings, watchSurroundings } from './surroundings.js';

loadL10n();

const head = document.createElement('header');
const title = document.createElement('strong');
const reach = document.createElement('span');
const notice = document.createElement('p');
const place = document.createElement('main');
notice.setAttribute('role', 'status');
head.append(title, reach);

const channel = connect<AppRequests, AppEvents>({
  toApp: ({ message }) => frame.post(message),
  status: (status) => showStatus(status),
});
const frame = new AppFrame({
  onMessage: (message) => channel.notify('fromApp', { message }),
  onDropped: (why) => channel.notify('dropped', { why }),
});

place.append(frame.element);
document.body.append(head, notice, place);
void start();

async function start(): Promise<void> {
  try {
    const content = await channel.request('ready', readSurroundings(frame.element));
    title.textContent = content.title;
    reach.textContent = content.reach;
    showStatus(content.status);
    frame.show(content.html, content.title);
    watchSurroundings(frame.element, () =>
      channel.notify('surroundings', readSurroundings(frame.element)),
    );
  } catch (error) {
    notice.textContent = l10n.t('The app could not be shown: {0}', String(error));
  }
}

function showStatus({ kind, notice: text = '' }: AppStatus): void {
  document.body.dataset.status = kind;
  frame.setInert(kind === 'frozen');
  notice.textContent = text;
}

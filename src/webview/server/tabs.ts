/** The tabs that are pages of their own: made when they are first looked at, and kept with what is half typed in them. */
import type { FormRequests } from '../../protocol/configProtocol.js';
import type {
  InspectorEvents,
  InspectorRequests,
} from '../../protocol/inspector/inspectorProtocol.js';
import { settingsScope, toolScope, trafficScope } from '../../protocol/server/serverProtocol.js';
import type { RunToolEvents, RunToolRequests } from '../../protocol/tools/runTool.js';
import { FormPage } from '../config/formPage.js';
import { FormView } from '../config/formView.js';
import { InspectorPage } from '../inspector/inspectorPage.js';
import { InspectorPageView } from '../inspector/pageView.js';
import { RunToolPage } from '../runTool/runToolPage.js';
import { PageView } from '../runTool/runToolView.js';
import type { Announcer } from '../shared/announcer.js';
import { connect } from '../shared/vscodeApi.js';
import type { ServerPage } from './serverPage.js';

const tools = new Map</* name */ string, { readonly page: RunToolPage; readonly view: PageView }>();
let traffic: InspectorPageView | undefined;
let settings: FormPage | undefined;
let isFormShown = false;

/** Draws what the page of the server shows now. */
export function openTab(page: ServerPage, announcer: Announcer): void {
  const detail = document.getElementById('tool');
  if (page.tool !== undefined && page.tab === 'tools' && detail) {
    const { page: run, view } = toolOf(page.tool, page, announcer);
    view.update(run);
    if (detail.firstElementChild !== view.root) {
      detail.replaceChildren(view.root);
    }
  }
  const place = document.getElementById('traffic');
  if (page.tab === 'traffic' && place) {
    traffic ??= openTraffic(place, announcer);
    traffic.request();
  }
  const form = document.getElementById('settings');
  const isShown = page.tab === 'settings' && form !== null;
  if (isShown && !settings) {
    settings = openSettings(form, announcer);
  } else if (isShown && !isFormShown) {
    void settings?.refresh();
  }
  isFormShown = isShown;
}

function toolOf(name: string, server: ServerPage, announcer: Announcer) {
  const known = tools.get(name);
  if (known) {
    return known;
  }
  const channel = connect<RunToolRequests, RunToolEvents>(
    {
      progress: (progress) => page.receive(progress),
      changed: (newer) => page.offerNewer(newer),
      missing: (missing) => page.receiveMissing(missing),
    },
    toolScope(name),
  );
  const view = new PageView(announcer);
  const page: RunToolPage = new RunToolPage(
    name,
    (type, params) => channel.request(type, params),
    () => {
      if (server.tool === name && server.tab === 'tools') {
        view.update(page);
      }
    },
  );
  const made = { page, view };
  tools.set(name, made);
  void page.start();
  return made;
}

function openTraffic(root: HTMLElement, announcer: Announcer): InspectorPageView {
  const channel = connect<InspectorRequests, InspectorEvents>(
    {
      rows: (change) => page.receiveRows(change),
      view: (view) => page.receiveView(view),
    },
    trafficScope,
  );
  const page: InspectorPage = new InspectorPage(
    (type, params) => channel.request(type, params),
    () => view.request(),
  );
  const view = new InspectorPageView(root, page, announcer);
  void page.start();
  return view;
}

function openSettings(root: HTMLElement, announcer: Announcer): FormPage {
  const channel = connect<FormRequests, object>({}, settingsScope);
  const page: FormPage = new FormPage(
    (type, params) => channel.request(type, params),
    (state) => view.update(state),
  );
  const view = new FormView(root, page, announcer);
  void page.start();
  return page;
}

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

export class ServerTabs {
  private readonly tools = new Map</* name */ string, ReturnType<typeof openTool>>();
  private traffic: InspectorPageView | undefined;
  private settings: FormPage | undefined;
  private isFormShown = false;

  /** Draws what the page of the server shows now. */
  open(page: ServerPage, announcer: Announcer): void {
    const detail = document.getElementById('tool');
    if (page.tool !== undefined && page.tab === 'tools' && detail) {
      const known = this.tools.get(page.tool) ?? openTool(page.tool, page, announcer);
      const { page: run, view } = known;
      this.tools.set(page.tool, known);
      view.update(run);
      if (detail.firstElementChild !== view.root) {
        detail.replaceChildren(view.root);
      }
      lead(page, view.root);
    }
    const place = document.getElementById('traffic');
    if (page.tab === 'traffic' && place) {
      this.traffic ??= openTraffic(place, announcer);
      this.traffic.request();
    }
    const form = document.getElementById('settings');
    const isShown = page.tab === 'settings' && form !== null;
    if (isShown && !this.settings) {
      this.settings = openSettings(form, announcer);
    } else if (isShown && !this.isFormShown) {
      void this.settings?.refresh();
    }
    this.isFormShown = isShown;
    const field = isShown ? page.takeField() : undefined;
    if (field !== undefined) {
      this.settings?.lookAt(field);
    }
  }
}

function openTool(name: string, server: ServerPage, announcer: Announcer) {
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
        lead(server, view.root);
      }
    },
  );
  void page.start();
  return { page, view };
}

/** The user has asked for the form, from outside of the page. */
function lead(server: ServerPage, form: HTMLElement): void {
  const first = form.querySelector<HTMLElement>('input, textarea, select');
  if (!first || !server.takeLead()) {
    return;
  }
  if (document.hasFocus()) {
    first.focus();
  } else {
    // VS Code gives a new page the keyboard a moment later
    addEventListener('focus', () => document.activeElement === document.body && first.focus(), {
      once: true,
    });
  }
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

import * as l10n from '@vscode/l10n';
import { isJsonObject } from '../../base/json.js';
import { guardDocument } from './guardDocument.js';

/** Characters of its JSON. */
const maxMessage = 1024 * 1024;
/** Levels. */
const maxDepth = 500;
const maxHeightPx = 8000;
/** Messages of one second; an app that needs more is no app. */
const maxPerSecond = 500;

/** Absent in old browsers. */
const { trustedTypes } = window as {
  readonly trustedTypes?: {
    createPolicy(name: string, rules: { createHTML(html: string): string }): unknown;
  };
};

export interface AppFrameOptions {
  readonly onMessage: (message: unknown) => void;
  readonly onDropped: (why: 'size' | 'flood') => void;
}

/** The sandboxed frame that holds an app, and the only way in and out of it. */
export class AppFrame {
  readonly element = document.createElement('iframe');
  private count = 0;
  private countedSince = 0;
  private isCut = false;

  constructor(private readonly options: AppFrameOptions) {
    const { element } = this;
    // the app's document inherits that trusted types are required; this page sets no HTML but that document
    trustedTypes?.createPolicy('default', { createHTML: (html) => html });
    // an origin of its own: no storage, no cookies, no reach into this page
    element.setAttribute('sandbox', 'allow-scripts');
    element.setAttribute('allow', '');
    element.setAttribute('credentialless', '');
    element.setAttribute('referrerpolicy', 'no-referrer');
    window.addEventListener('message', ({ source, data }) => {
      if (source !== null && source === element.contentWindow && !this.isCut) {
        this.receive(data);
      }
    });
  }

  /** @throws {Error} in a browser that could not hold the app. */
  show(html: string, title: string): void {
    if (!trustedTypes) {
      throw new Error(l10n.t('this browser is too old to keep an app from the network'));
    }
    this.element.title = title;
    this.element.srcdoc = guardDocument(html);
  }

  post(message: unknown): void {
    // its origin is opaque, so that no other target can be named; nothing secret is sent
    this.element.contentWindow?.postMessage(message, '*');
  }

  /** An inert app is out of reach of pointer, keyboard and screen reader. */
  setInert(isInert: boolean): void {
    this.element.inert = isInert;
  }

  private receive(data: unknown): void {
    const now = performance.now();
    if (now - this.countedSince > 1000) {
      this.countedSince = now;
      this.count = 0;
    }
    this.count++;
    if (this.count > maxPerSecond) {
      this.isCut = true;
      this.element.remove();
      this.options.onDropped('flood');
      return;
    }
    if (roomLeft(data, maxMessage, maxDepth) < 0) {
      this.options.onDropped('size');
      return;
    }
    this.fitHeight(data);
    this.options.onMessage(data);
  }

  private fitHeight(data: unknown): void {
    if (isJsonObject(data) && data.method === 'ui/notifications/size-changed') {
      const height = isJsonObject(data.params) ? data.params.height : undefined;
      if (typeof height === 'number' && height > 0) {
        this.element.style.height = `${Math.min(Math.ceil(height), maxHeightPx)}px`;
      }
    }
  }
}

/**
 * How many characters are left when the value has taken its own as JSON. Below 0: it takes more, or is none: a buffer, or
 * what else browsers pass between documents, has no bound. Looks at no more than fits.
 */
function roomLeft(value: unknown, room: number, depth: number): number {
  if (typeof value === 'string' && value.length < room) {
    return room - JSON.stringify(value).length;
  }
  if (typeof value !== 'object' || value === null) {
    return typeof value === 'bigint' ? -1 : room - String(value).length;
  }
  const isList = Array.isArray(value);
  if (depth === 0 || (isList ? value.length > room : !isPlain(value))) {
    return -1;
  }
  let left = room - 2;
  for (const [key, item] of isList ? value.entries() : Object.entries(value)) {
    left = roomLeft(item, left - (isList ? 1 : String(key).length + 4), depth - 1);
    if (left < 0) {
      return -1;
    }
  }
  return left;
}

function isPlain(value: object): boolean {
  return Object.getPrototypeOf(value) === Object.prototype;
}

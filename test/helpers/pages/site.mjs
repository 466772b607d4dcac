// @ts-check
/** Serves pages and their files on loopback, so that a browser keeps what it has compiled. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { extname } from 'node:path';
import { startServer } from '../../workbench/loopback.mjs';

/** @type {Record<string, string>} */
const contentTypes = { '.js': 'text/javascript', '.css': 'text/css' };

/** Of the tests, which a page loads when it is looked at. */
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'));
export const axePath = 'axe.js';

export class Site {
  /** Path → document. @type {Map<string, string>} */
  #documents = new Map();
  #next = 1;

  /** @param {import('./build.mjs').BuiltPages} built */
  constructor(built) {
    this.server = createServer((request, response) => {
      const path = new URL(request.url ?? '', 'http://site').pathname.slice(1);
      const document = this.#documents.get(path);
      const body = path === axePath ? axe : (document ?? built.read(path));
      if (body === undefined) {
        response.writeHead(404).end();
        return;
      }
      const [type, cache] =
        document === undefined
          ? [contentTypes[extname(path)] ?? 'font/ttf', 'max-age=3600, immutable']
          : ['text/html', 'no-store'];
      response.writeHead(200, { 'content-type': type, 'cache-control': cache }).end(body);
    });
    // it ends with its process at the latest
    this.server.unref();
  }

  async start() {
    this.origin = `http://preview.localhost:${await startServer(this.server)}`;
    return this.origin;
  }

  /** @param {string} html @returns {string} its address */
  add(html) {
    const path = `${this.#next++}`;
    this.#documents.set(path, html);
    return `${this.origin}/${path}`;
  }

  /** @param {string} address */
  remove(address) {
    this.#documents.delete(new URL(address).pathname.slice(1));
  }

  close() {
    this.server.closeAllConnections();
    this.server.close();
  }
}

/**
 * Activates the packaged extension in plain Node, with VS Code faked around it, until the tree has its first rows.
 * Arguments: folder of the extension, folder of the workspace, folder for storage. Prints a JSON object.
 */
import fs from 'node:fs';
import Module, { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [extensionDir, folder, storage] = process.argv.slice(2);
const require = createRequire(import.meta.url);

const blocking = [];
const opened = {};
watchFiles();

/** Everything that nobody here looks at: callable, constructible, and full of more of the same. */
const anything = (own = {}) =>
  new Proxy(class {}, {
    set: () => true,
    get: (target, key) => {
      if (key in own) {
        return own[key];
      }
      if (key === 'then' || key === Symbol.iterator) {
        return undefined;
      }
      return key === Symbol.toPrimitive
        ? () => ''
        : key === 'prototype'
          ? target.prototype
          : anything();
    },
    apply: () => anything({ dispose: () => undefined }),
    construct: () => anything({ dispose: () => undefined }),
  });

class Value {
  constructor(...args) {
    this.args = args;
  }
  dispose() {}
}

class TreeItem {
  constructor(label) {
    this.label = label;
  }
}

class EventEmitter {
  listeners = new Set();
  event = (listener) => {
    this.listeners.add(listener);
    return { dispose: () => this.listeners.delete(listener) };
  };
  fire(value) {
    for (const listener of this.listeners) {
      listener(value);
    }
  }
  dispose() {}
}

const uriOf = (path) => ({
  scheme: 'file',
  fsPath: path,
  path,
  toString: () => pathToFileURL(path).href,
});
let tree;
const vscode = {
  EventEmitter,
  TreeItem,
  ThemeIcon: Value,
  ThemeColor: Value,
  MarkdownString: anything(),
  RelativePattern: Value,
  Uri: anything({ file: uriOf }),
  StatusBarAlignment: {},
  TreeItemCollapsibleState: {},
  TreeItemCheckboxState: {},
  l10n: { bundle: undefined, t: (text) => text },
  env: { language: 'en' },
  commands: anything(),
  languages: anything(),
  lm: anything(),
  window: anything({
    createTreeView: (_id, { treeDataProvider }) => {
      tree = treeDataProvider;
      return anything({ visible: true, dispose: () => undefined });
    },
    state: { focused: true },
  }),
  workspace: anything({
    workspaceFolders: [{ uri: uriOf(folder), name: basename(folder), index: 0 }],
    textDocuments: [],
    isTrusted: true,
    getConfiguration: () => ({ get: () => undefined, inspect: () => undefined }),
  }),
};
// the copies that the bundle makes of the API keep its prototype
Object.setPrototypeOf(vscode, anything());
const { _load } = Module;
Module._load = (request, ...rest) => (request === 'vscode' ? vscode : _load(request, ...rest));

const context = {
  subscriptions: [],
  extensionUri: uriOf(extensionDir),
  globalStorageUri: uriOf(storage),
  storageUri: uriOf(join(storage, 'workspace')),
  extension: { packageJSON: { version: '0.0.0' } },
  secrets: {
    get: async () => undefined,
    keys: async () => [],
    onDidChange: () => ({ dispose() {} }),
  },
  workspaceState: { get: () => undefined, update: async () => undefined, keys: () => [] },
  globalState: { get: () => undefined, update: async () => undefined, keys: () => [] },
  environmentVariableCollection: anything(),
};

const from = performance.now();
const { activate } = require(join(extensionDir, 'dist/extension.js'));
await activate(context);
const pools = await tree.getChildren();
const servers = (await Promise.all(pools.map((node) => tree.getChildren(node)))).flat();
const rows = [...pools, ...servers].map((node) => {
  const { label, description } = tree.getTreeItem(node);
  return `${label}: ${description}`;
});
const result = { ms: performance.now() - from, rows, loaded: loadedFiles(), blocking, opened };
console.log(JSON.stringify(result));
process.exit(0);

function loadedFiles() {
  return Object.keys(require.cache)
    .filter((path) => path.startsWith(join(extensionDir, 'dist')))
    .map((path) => basename(path))
    .sort();
}

/** Notes calls that block, but those by which Node itself loads code, and how often a file is opened. */
function watchFiles() {
  for (const name of Object.keys(fs).filter((key) => key.endsWith('Sync'))) {
    const original = fs[name];
    fs[name] = function (...args) {
      const stack = new Error(name).stack?.split('\n').slice(2) ?? [];
      if (!stack[0]?.includes('node:internal/')) {
        blocking.push(`${name} ${String(args[0])} ${stack[0]?.trim()}`);
      }
      return Reflect.apply(original, this, args);
    };
  }
  const { open } = fs;
  fs.open = (path, ...rest) => {
    opened[path] = (opened[path] ?? 0) + 1;
    return open(path, ...rest);
  };
}

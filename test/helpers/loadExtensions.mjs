// @ts-check
/**
 * Lets the Pi of the package load extensions, and tells what came of it.
 * Arguments: the folder of the package, a folder for Pi's settings, the files.
 */
import Module from 'node:module';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [extensionDir = '', agentDir = '', ...additionalExtensionPaths] = process.argv.slice(2);

// a thread that is idle keeps nobody waiting
const alive = setInterval(() => undefined, 1_000);
/** @type {Promise<unknown>[]} */
const ends = [];
process.on('worker', (worker) => ends.push(new Promise((end) => worker.once('exit', end))));

const pi = await import(pathToFileURL(join(extensionDir, 'dist/agent/pi.mjs')).href);
const settingsManager = pi.SettingsManager.inMemory();
const places = { cwd: agentDir, agentDir, settingsManager };
const loader = new pi.DefaultResourceLoader({ ...places, additionalExtensionPaths });
await loader.reload();
const { extensions, errors } = loader.getExtensions();
/** @type {string[]} */
const commands = [];
for (const extension of extensions) {
  commands.push(...extension.commands.keys());
}
const threads = ends.length;
await Promise.all(ends);
clearInterval(alive);
const cache = /** @type {{ _cache: object }} */ (/** @type {unknown} */ (Module))._cache;
const loaded = Object.keys(cache).map((path) => basename(path));
console.log(JSON.stringify({ commands, errors, loaded, threads }));

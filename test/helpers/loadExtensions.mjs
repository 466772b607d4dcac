// @ts-check
/**
 * Lets the Pi of the package load extensions, and tells what came of it.
 * Arguments: the folder of the package, a folder for Pi's settings, the files.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [extensionDir = '', agentDir = '', ...additionalExtensionPaths] = process.argv.slice(2);

const pi = await import(pathToFileURL(join(extensionDir, 'dist/agent/piEntry.js')).href);
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
console.log(JSON.stringify({ commands, errors }));

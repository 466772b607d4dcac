/** What is shipped beside the code. */
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './settings.mjs';

export function copyAssets() {
  const packages = join(root, 'node_modules');
  const piPackage = join(packages, '@earendil-works/pi-coding-agent/package.json');
  const { name, version, piConfig } = JSON.parse(readFileSync(piPackage, 'utf8'));
  const agentPackage = JSON.stringify({ name, version, type: 'module', piConfig });
  writeFileSync(join(root, 'dist/agent/package.json'), agentPackage);
  const wasm = 'photon_rs_bg.wasm';
  cpSync(join(packages, '@silvia-odwyer/photon-node', wasm), join(root, 'dist/agent', wasm));
  for (const file of ['codicon.css', 'codicon.ttf']) {
    cpSync(join(packages, '@vscode/codicons/dist', file), join(root, 'dist/webview', file));
  }
}

/** Every package that ended up in a bundle, with its licence text. */
export function writeNotices(metafiles) {
  const inputs = metafiles.flatMap((metafile) => Object.keys(metafile.inputs));
  const folders = inputs.map(
    (path) => /^(?:core:)?(.*node_modules\/(@[^/]+\/)?[^/]+)/.exec(path)?.[1],
  );
  const packages = [...new Set(folders), 'node_modules/@vscode/codicons'].filter(Boolean).sort();
  const notices = packages.map((folder) => {
    const { name, version, license } = JSON.parse(
      readFileSync(join(root, folder, 'package.json'), 'utf8'),
    );
    const file = readdirSync(join(root, folder)).find((entry) =>
      /^(licen[cs]e|copying)/i.test(entry),
    );
    const text = file ? readFileSync(join(root, folder, file), 'utf8').trim() : '';
    return `${name} ${version} (${license ?? 'see below'})\n\n${text}`;
  });
  const head = 'This extension contains the following packages.';
  writeFileSync(
    join(root, 'dist/ThirdPartyNotices.txt'),
    [head, ...new Set(notices)].join(`\n\n${'-'.repeat(79)}\n\n`),
  );
}

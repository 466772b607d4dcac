/** What is shipped beside the code. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { root } from './bundles.mjs';

const packages = join(root, 'node_modules');
const packageIn = (path) => JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
/** What the package of the command line holds. */
const packed = '/* !/cli.js !/o200k.bin.br !/ThirdPartyNotices.txt !/sbom.cdx.json';

export async function copyAssets(folder) {
  const piPackage = packageIn(join(packages, '@earendil-works/pi-coding-agent'));
  const { name, version, piConfig } = piPackage;
  const agentPackage = JSON.stringify({ name, version, type: 'module', piConfig });
  writeFileSync(join(folder, 'agent/package.json'), agentPackage);
  const wasm = 'photon_rs_bg.wasm';
  cpSync(join(packages, '@silvia-odwyer/photon-node', wasm), join(folder, 'agent', wasm));
  const { packVocabulary } = await import('../src/mcp/catalog/tokens/packVocabulary.ts');
  const { default: tokens } = await import('gpt-tokenizer/bpeRanks/o200k_base');
  writeFileSync(join(folder, 'o200k.bin.br'), brotliCompressSync(packVocabulary(tokens)));
  writeFileSync(join(folder, '.npmignore'), `${packed.replaceAll(' ', '\n')}\n`);
}

/** Every package that ended up in a bundle, with its licence text. */
export function writeNotices(folder, metafiles) {
  const inputs = metafiles.flatMap((metafile) => Object.keys(metafile.inputs));
  const inPackage = /^(?!names:).*node_modules\/(?:@[^/]+\/)?[^/]+/;
  const found = new Set(inputs.flatMap((path) => inPackage.exec(path)?.[0] ?? []));
  const notices = [...found].sort().map((path) => {
    const place = join(root, path);
    const { name, version, license = 'see below' } = packageIn(place);
    const file = readdirSync(place).find((entry) => /^(licen[cs]e|copying)/i.test(entry));
    const text = file ? readFileSync(join(place, file), 'utf8').trim() : '';
    return `${name} ${version} (${license})\n\n${text}`;
  });
  const parts = ['This extension contains the following packages.', ...new Set(notices)];
  const line = `\n\n${'-'.repeat(79)}\n\n`;
  writeFileSync(join(folder, 'ThirdPartyNotices.txt'), parts.join(line));
}

/** The same packages for programs, as CycloneDX: with versions, addresses and licences. */
export function writeMaterials(folder, metafiles) {
  const outputs = Object.assign({}, ...metafiles.map((metafile) => metafile.outputs));
  for (const output of Object.values(outputs)) {
    // what a plugin of ours has made is no file, and a package that it makes something of is there by its own path, too
    const real = Object.entries(output.inputs).filter(([path]) => !/^(?:names|vscode):/.test(path));
    output.inputs = Object.fromEntries(real.map(([path, share]) => [path.split('?')[0], share]));
  }
  const place = mkdtempSync(join(tmpdir(), 'pi-mcp-materials-'));
  const merged = join(place, 'metafile.json');
  const inputs = Object.assign({}, ...metafiles.map((metafile) => metafile.inputs));
  writeFileSync(merged, JSON.stringify({ inputs, outputs }));
  const program = join(packages, '@cyclonedx/cyclonedx-esbuild/bin/cyclonedx-esbuild-cli.js');
  const flags = ['--output-reproducible', '--no-validate', '--output-file', 'sbom.cdx.json'];
  execFileSync(process.execPath, [program, ...flags, '--bwd', root, merged], { cwd: folder });
  rmSync(place, { recursive: true });
}

/** The second step of the build of chunks. */
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as esbuild from 'esbuild';
import { cutNames } from './chunks.mjs';
import { reachable } from './graph.mjs';
import { jointFiles } from './joints.mjs';
import { isMinified, node, root } from './settings.mjs';
import { bannerFor, partsOf, withoutModuleLoader } from './turns.mjs';
import { vocabularyFile } from './vocabulary.mjs';

/** esbuild splits ES modules alone, and CommonJS starts faster in VS Code: a second step makes each chunk CommonJS. */
export const commonJsPlugin = {
  name: 'commonjs',
  setup(build) {
    build.onEnd(async ({ outputFiles, metafile }) => {
      if (!outputFiles || !metafile) {
        return;
      }
      const joints = isMinified ? jointFiles(metafile) : new Map();
      const written = await toCommonJs(outputFiles, metafile, joints, isMinified);
      for (const [name, text] of written) {
        writeFileSync(join(root, 'dist', name), text);
      }
      removeOldChunks(written);
      const forNpm = [...reachable(metafile, 'dist/cli.js')].map(
        (name) => joints.get(name) ?? name,
      );
      const others = [vocabularyFile, 'ThirdPartyNotices.txt'];
      const names = [...new Set(forNpm), ...others].map((name) => `!/${name}`);
      writeFileSync(join(root, 'dist/.npmignore'), ['/*', ...names, ''].join('\n'));
    });
  },
};

/** The files of a minified build as they are shipped. @returns texts by name of file */
export function shippedFiles({ outputFiles, metafile }) {
  return toCommonJs(outputFiles, metafile, jointFiles(metafile), true);
}

function removeOldChunks(written) {
  const names = readdirSync(join(root, 'dist')).filter((name) => /\.(js|js\.map|br)$/.test(name));
  for (const name of names.filter((name) => !written.has(name) && name !== vocabularyFile)) {
    rmSync(join(root, 'dist', name));
  }
}

/** @param joints names of joint files, by chunk. @returns texts by name of file */
async function toCommonJs(outputFiles, metafile, joints, minify) {
  const sources = new Map(
    outputFiles.map(({ path, text }) => [
      basename(path),
      requireVscode(
        withoutBareImports(withoutModuleLoader(basename(path), text, metafile, joints), joints),
      ),
    ]),
  );
  const exported = importFromJoints(sources, joints);
  const joint = new Set(joints.values());
  const single = [...sources.keys()].filter(
    (name) => !joints.has(name) && !joint.has(name) && !cutNames.has(name),
  );
  const files = await Promise.all([
    ...single.map((name) => toSingleFile(name, sources.get(name), minify)),
    ...[...joint].map((name) => toJointFile(name, sources, joints, exported.get(name))),
  ]);
  return new Map(files.flat());
}

/** Entries name all chunks below them for the order in which these run; whoever uses one of a joint file loads it. */
const withoutBareImports = (text, joints) =>
  text.replace(/\bimport"\.\/([\w-]+\.js)";/g, (all, name) => (joints.has(name) ? '' : all));

/** esbuild would copy all of VS Code's API for every module that imports it. */
function requireVscode(text) {
  let first;
  return text.replace(/\bimport\s*\*\s*as\s+([\w$]+)\s+from\s*"vscode";/g, (_all, name) => {
    const value = first ?? 'require("vscode")';
    first ??= name;
    return `const ${name}=${value};`;
  });
}

/**
 * Lets the sources import what they need of a chunk in a joint file from that file, under one name for all.
 * @returns the exports, by joint file: `{ part, name, as }`
 */
function importFromJoints(sources, joints) {
  const exported = new Map([...new Set(joints.values())].map((joint) => [joint, []]));
  const exportOf = (joint, part, name) => {
    const known = exported.get(joint);
    const found = known.find((one) => one.part === part && one.name === name);
    if (found) {
      return found.as;
    }
    // no entry exports such a name
    const as = `x${known.length.toString(36)}`;
    known.push({ part, name, as });
    return as;
  };
  for (const [file, text] of sources) {
    const own = joints.get(file) ?? file;
    const wanted = new Map();
    const rest = text.replace(/\bimport\{([^}]*)\}from"\.\/([\w-]+\.js)";/g, (all, list, part) => {
      const joint = joints.get(part);
      if (joint === undefined || joint === own) {
        return all;
      }
      const names = list.split(',').map((item) => {
        const [name, local = name] = item.split(' as ');
        return `${exportOf(joint, part, name)} as ${local}`;
      });
      wanted.set(joint, [...(wanted.get(joint) ?? []), ...names]);
      return '';
    });
    const imports = [...wanted].map(([joint, names]) => `import{${names}}from"./${joint}";`);
    sources.set(file, [rest, ...imports].join('\n'));
  }
  return exported;
}

async function toSingleFile(name, text, minify) {
  const { code, map } = await esbuild.transform(text, {
    sourcefile: name,
    platform: 'node',
    format: 'cjs',
    target: node.target,
    minify,
    sourcemap: minify ? false : 'external',
    banner: bannerFor(text),
  });
  const link = map ? `//# sourceMappingURL=${name}.map\n` : '';
  const file = [name, code + link];
  return map ? [file, [`${name}.map`, map]] : [file];
}

/** One scope for an entry and chunks of it, of which the file exports what other files use. */
async function toJointFile(joint, sources, joints, exported) {
  const parts = partsOf(joint, joints).filter((name) => sources.has(name));
  const { outputFiles } = await esbuild.build({
    stdin: {
      contents: [
        ...(sources.has(joint) ? [`export * from './${joint}';`] : []),
        ...exported.map(({ part, name, as }) => `export { ${name} as ${as} } from './${part}';`),
      ].join(''),
    },
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
    target: node.target,
    minify: true,
    banner: { js: bannerFor(parts.map((name) => sources.get(name)).join('')) },
    plugins: [
      {
        name: 'parts',
        setup(build) {
          build.onResolve({ filter: /.*/ }, ({ path }) => {
            const name = basename(path);
            return path.startsWith('./') && parts.includes(name)
              ? { path: name, namespace: 'parts' }
              : { path, external: true };
          });
          build.onLoad({ filter: /.*/, namespace: 'parts' }, ({ path }) => ({
            contents: sources.get(path),
          }));
        },
      },
    ],
  });
  // nobody imports it as an ES module, for which that says what it exports
  return [[joint, outputFiles[0].text.replace(/0&&\(module\.exports=\{[^}]*\}\);\s*$/, '')]];
}

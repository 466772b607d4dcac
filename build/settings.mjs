/** What all builds have in common. Flags: --watch, --minify. */
import { dirname } from 'node:path';

export const root = dirname(import.meta.dirname);
export const isWatch = process.argv.includes('--watch');
export const isMinified = process.argv.includes('--minify');

// the command line also runs without an editor, on the oldest Node.js that is maintained
export const node = { platform: 'node', format: 'esm', target: 'node20' };
export const page = { platform: 'browser', format: 'iife', target: 'es2022' };

export const common = {
  absWorkingDir: root,
  bundle: true,
  metafile: true,
  logLevel: 'info',
  // jsonc-parser's `main` is UMD, whose inner requires esbuild cannot follow
  mainFields: ['module', 'main'],
  minify: isMinified,
};

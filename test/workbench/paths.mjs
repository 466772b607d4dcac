// @ts-check
/** Where the workbench keeps what it installs and makes. */
import { join, resolve } from 'node:path';

export const repository = resolve(import.meta.dirname, '../..');
/** Ignored by git; may be deleted at any time. */
export const workbenchDir = join(repository, '.workbench');
export const vsixPath = join(workbenchDir, 'pi-mcp.vsix');
export const nodeModules = join(repository, 'node_modules');
export const nodeBin = join(nodeModules, '.bin');

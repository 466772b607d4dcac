import { ensureCodeServer } from '../../workbench/codeServer.mjs';
import { ensureInstalled } from '../../workbench/vsix.mjs';

/** Before any window, so that no two of them install. */
export default function setup(): void {
  ensureCodeServer();
  ensureInstalled();
}

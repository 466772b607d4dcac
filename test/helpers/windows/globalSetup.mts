import { spawnSync } from 'node:child_process';
import { windows } from '../../workbench/windows.mjs';

/** Ends the programs of Wine itself, which wait for the next one of ours; without any, it says so by its status. */
export function teardown(): void {
  // Wine finds its server by these, and by no folder for temporary files
  const { PATH, HOME } = process.env;
  spawnSync(windows.server, ['-k'], { env: { PATH, HOME, ...windows.env } });
}

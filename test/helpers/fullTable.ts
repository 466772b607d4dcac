/** A process whose table of open files is full, as far as spawning goes: Node then gives a child without streams. */
import childProcess from 'node:child_process';
import { EventEmitter } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';

export async function withFullTable(run: () => Promise<void>): Promise<void> {
  const { spawn } = childProcess;
  const spawnNothing = () => {
    const child = new EventEmitter();
    process.nextTick(() => {
      child.emit('error', Object.assign(new Error('spawn EMFILE'), { code: 'EMFILE' }));
    });
    return child;
  };
  childProcess.spawn = spawnNothing as unknown as typeof spawn;
  syncBuiltinESMExports();
  try {
    await run();
  } finally {
    childProcess.spawn = spawn;
    syncBuiltinESMExports();
  }
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createMarker, MarkedProcesses } from '../../../../src/platform/process/marker.js';

// else a file before it in the same worker has loaded what is put in place here
vi.hoisted(() => vi.resetModules());
const unreadable = vi.hoisted(() => new Set<string>());
vi.mock('../../../../src/platform/boundedFile.js', async (load) => {
  const real = await load<typeof import('../../../../src/platform/boundedFile.js')>();
  const readKernelFileSync = (path: string) => {
    if (unreadable.has(path)) {
      throw Object.assign(new Error(`EMFILE: ${path}`), { code: 'EMFILE' });
    }
    return real.readKernelFileSync(path);
  };
  return { ...real, readKernelFileSync };
});

it.runIf(process.platform === 'linux')(
  'finds a process whose environment could not be read at first',
  async () => {
    const marker = createMarker(undefined);
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
      env: { PI_MCP_RUN: marker },
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    await once(child, 'spawn');
    const path = `/proc/${child.pid}/environ`;
    unreadable.add(path);
    const marked = new MarkedProcesses();
    expect(marked.read().get(marker)).toBeUndefined();
    unreadable.clear();
    expect(marked.read().get(marker)).toMatchObject([{ pid: child.pid }]);
    // it is read but once
    unreadable.add(path);
    expect(marked.read().get(marker)).toMatchObject([{ pid: child.pid }]);
  },
);

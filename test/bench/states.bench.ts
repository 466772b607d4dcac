import { processMarker } from '../fixtures/processes.js';
import { startMisbehavingServer } from '../fixtures/servers/misbehaveHttp.mjs';
import { type StateFault, stateFaults, suffer } from '../fixtures/stateFaults.js';
import { type BenchScale, type Figure, measureAlone } from './connections/figures.js';
import { withCore } from './connections/parties.js';

/** How long a state lies after something happened to its server. */
export async function runBench({ scale }: BenchScale): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const fault of stateFaults) {
    const name = `${fault.name}; known ${fault.noticed} after`;
    figures.push(
      await measureAlone(
        { name, unit: 'ms', target: 250 },
        Math.max(3, Math.round(15 * scale)),
        () => measureFault(fault),
      ),
    );
  }
  return figures;
}

async function measureFault(fault: StateFault): Promise<number> {
  const marker = processMarker();
  const remote = await startMisbehavingServer({ faults: { ...fault.faults } });
  try {
    return await withCore({ one: fault.entry({ remote, marker }) }, async (core) => {
      const server = core.server('one');
      await server.ensureConnected();
      return (await suffer(fault, { server, remote, marker })).ms;
    });
  } finally {
    await remote.close();
  }
}

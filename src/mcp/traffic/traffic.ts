import type { McpServerId } from '../../config/definition.js';
import type { Clock } from '../../platform/clock.js';
import { Recording } from './recording.js';

/** The recordings of all servers, kept while a server is configured. */
export class Traffic {
  private readonly byServer = new Map<McpServerId, Recording>();

  constructor(private readonly clock: Clock) {}

  of(id: McpServerId): Recording {
    const recording = this.byServer.get(id) ?? new Recording(this.clock);
    this.byServer.set(id, recording);
    return recording;
  }

  keepOnly(ids: ReadonlySet<McpServerId>): void {
    for (const [id, recording] of this.byServer) {
      if (!ids.has(id)) {
        this.byServer.delete(id);
        void recording.dispose();
      }
    }
  }

  /** Never rejects. */
  async dispose(): Promise<void> {
    await Promise.all([...this.byServer.values()].map((recording) => recording.dispose()));
    this.byServer.clear();
  }
}

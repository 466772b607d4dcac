import { DisposableOwner } from '../../base/disposable.js';
import { Emitter } from '../../base/event.js';
import type { McpServer } from '../../mcp/mcpApi.js';
import type { TrafficEntry } from '../../mcp/traffic/entries.js';
import { Pairing } from '../../mcp/traffic/pairing.js';
import type { FrameRecord, McpRecording, TrafficRecord } from '../../mcp/trafficTypes.js';
import type {
  InspectorDetails,
  InspectorEvents,
  InspectorRow,
} from '../../protocol/inspector/inspectorProtocol.js';
import { framesOf, prettyJson } from './details.js';
import { type Replay, replayOf } from './replay.js';
import { rowOf } from './rows.js';

/** Longest whole frame that goes to a page; characters. */
const maxWhole = 16 * 1024 * 1024;

/** A recording as its page needs it, while the page is open. */
export class InspectorModel extends DisposableOwner {
  private readonly _onDidChangeRows = this.store.add(
    new Emitter<InspectorEvents['rows']['params']>(),
  );
  readonly onDidChangeRows = this._onDidChangeRows.event;
  private readonly pairing = new Pairing();
  private readonly byId = new Map<number, TrafficEntry>();
  private readonly records = new Map</* seq */ number, TrafficRecord>();

  constructor(private readonly recording: McpRecording) {
    super();
    this.store.add(recording.watch());
    this.take(recording.records);
    this.store.add(
      recording.onDidChange(({ added, firstSeq }) => {
        this.take(added, firstSeq);
      }),
    );
  }

  get rows(): readonly InspectorRow[] {
    return [...this.byId.values()].map(rowOf);
  }

  details(id: number, server: McpServer | undefined): InspectorDetails {
    const entry = this.byId.get(id);
    const replay = this.replay(id, server);
    return {
      frames: framesOf(this.recordsOf(entry)),
      noReplay: replay?.kind === 'refused' ? replay.reason : undefined,
    };
  }

  /** `undefined`: it is no request of ours. */
  replay(id: number, server: McpServer | undefined): Replay | undefined {
    const entry = this.byId.get(id);
    if (entry?.kind !== 'request' || entry.dir !== 'sent' || !server) {
      return undefined;
    }
    const first = this.recordsOf(entry).find((record) => record.kind === 'frame');
    return first && replayOf(first as FrameRecord, server);
  }

  async whole(seq: number): Promise<string | undefined> {
    const text = await this.recording.readWhole(seq);
    return text === undefined ? undefined : prettyJson(text).slice(0, maxWhole);
  }

  /** Entries in whose texts all the words stand; `words` in lower case. */
  find(words: readonly string[]): readonly number[] {
    return [...this.byId.values()]
      .filter((entry) => {
        const { method, target, note } = rowOf(entry);
        const texts = [
          `${method} ${target} ${note ?? ''}`,
          ...this.recordsOf(entry).map((record) => ('text' in record ? record.text : '')),
        ].map((text) => text.toLowerCase());
        return words.every((word) => texts.some((text) => text.includes(word)));
      })
      .map(({ id }) => id);
  }

  private recordsOf(entry: TrafficEntry | undefined): readonly TrafficRecord[] {
    return (entry?.records ?? []).flatMap((seq) => this.records.get(seq) ?? []);
  }

  private take(added: readonly TrafficRecord[], firstSeq = 0): void {
    for (const record of added) {
      this.pairing.add(record);
      this.records.set(record.seq, record);
    }
    this.pairing.forgetBefore(firstSeq);
    for (const seq of this.records.keys()) {
      if (seq >= firstSeq) {
        break;
      }
      this.records.delete(seq);
    }
    const { changed, removed } = this.pairing.takeChange();
    for (const entry of changed) {
      this.byId.set(entry.id, entry);
    }
    for (const id of removed) {
      this.byId.delete(id);
    }
    if (changed.length > 0 || removed.length > 0) {
      this._onDidChangeRows.fire({ changed: changed.map(rowOf), removed });
    }
  }
}

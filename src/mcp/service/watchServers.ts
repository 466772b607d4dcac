import { Coalescer } from '../../base/async/coalescer.js';
import { type Disposable, DisposableStore } from '../../base/disposable.js';
import { Emitter } from '../../base/event.js';
import { stableStringify } from '../../base/json.js';
import type { McpPoolId } from '../../config/definition.js';
import type { McpServer, McpService } from '../mcpApi.js';
import { stateText } from '../trouble/stateText.js';

/** Milliseconds in which what happens to servers together becomes one event. */
const settleMs = 50;

export interface ServerKey {
  readonly poolId: McpPoolId;
  readonly name: string;
}

interface Look {
  readonly key: ServerKey;
  /** Another one when the server would be described otherwise. */
  readonly sign: string;
}

/** Calls back with the servers that came, went or changed in what other programs are shown of them. */
export function watchServers(
  service: McpService,
  listener: (servers: readonly ServerKey[]) => void,
): Disposable {
  const store = new DisposableStore();
  const emitter = store.add(new Emitter<readonly ServerKey[]>());
  emitter.event(listener);
  let known = lookAt(service);
  const look = async () => {
    const now = lookAt(service);
    const changed = [
      ...[...now].filter(([id, { sign }]) => known.get(id)?.sign !== sign),
      ...[...known].filter(([id]) => !now.has(id)),
    ];
    known = now;
    if (changed.length > 0) {
      emitter.fire(changed.map(([, { key }]) => key));
    }
  };
  const check = store.add(new Coalescer(look, { delayMs: settleMs }));
  const request = () => check.request();
  store.add(service.onDidChangePools(request));
  store.add(service.onDidChangeServer(request));
  store.add(service.trust.onDidChange(request));
  return store;
}

function lookAt(service: McpService): ReadonlyMap<string, Look> {
  return new Map(service.servers.map((server) => [server.id, lookOf(service, server)]));
}

function lookOf({ trust }: McpService, { definition, state, catalog }: McpServer): Look {
  const { poolId, name, folder } = definition;
  const facts = [
    definition,
    state.value.kind,
    stateText(state.value).sentence,
    catalog.value.tools.length,
    folder && trust.folderTrust(folder.uri),
  ];
  return { key: { poolId, name }, sign: stableStringify(facts) };
}

import type { ResolvedLaunch } from '../../config/definition.js';
import { defaultProtocol } from '../../config/schema/fields.js';
import type { McpEngine } from './session/engine.js';

/** `sdk` is the faster one; `client` also knows HTTP, OAuth and the newer generation of the protocol. */
export type EngineKind = 'sdk' | 'client';

/** The one place that decides which engine serves a launch. */
export function chooseEngine(launch: ResolvedLaunch): EngineKind {
  const isLegacy = (launch.protocolVersion ?? defaultProtocol) === 'legacy';
  return launch.kind === 'stdio' && isLegacy ? 'sdk' : 'client';
}

/** Each engine takes 40 to 60 ms to load, which a window waits for only where a server needs it. */
export async function loadEngine(launch: ResolvedLaunch): Promise<McpEngine> {
  switch (chooseEngine(launch)) {
    case 'sdk':
      return (await import('./sdkEngine/sdkEngine.js')).createSdkEngine();
    case 'client':
      return (await import('./clientEngine/clientEngine.js')).createClientEngine();
  }
}

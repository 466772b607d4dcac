import type { ResolvedLaunch } from '../../config/definition.js';
import { defaultProtocol } from '../../config/schema/fields.js';
import type { McpEngine } from './session/engine.js';

/**
 * The one place that decides which engine serves a launch: `sdk` is the faster one; `client` also knows HTTP, OAuth and
 * the newer generation of the protocol.
 */
export function chooseEngine(launch: ResolvedLaunch): 'sdk' | 'client' {
  const isLegacy = (launch.protocolVersion ?? defaultProtocol) === 'legacy';
  return launch.kind === 'stdio' && isLegacy ? 'sdk' : 'client';
}

/** Each engine takes 40 to 60 ms to load, which a window waits for only where a server needs it. */
export async function loadEngine(launch: ResolvedLaunch): Promise<McpEngine> {
  return chooseEngine(launch) === 'sdk'
    ? (await import('./sdkEngine/sdkEngine.js')).createSdkEngine()
    : (await import('./clientEngine/clientEngine.js')).createClientEngine();
}

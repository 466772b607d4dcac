import { isJsonObject } from '../../base/json.js';
import type { BuiltInCalls } from '../builtIn/builtInCalls.js';
import { builtInNames, runsWithoutAsking } from '../builtIn/builtInTools.js';
import type { CallSubject } from '../policy/callSubject.js';
import type { ToolBridge } from '../tools/toolBridge.js';
import type { ToolIdentities } from '../tools/toolIdentities.js';
import type { McpCall } from '../transcript/transcript.js';

/** What any call in a session would do, be it of a tool of Pi or of a server. */
export class SessionCalls {
  constructor(
    private readonly bridge: ToolBridge,
    private readonly identities: ToolIdentities,
    private readonly builtIns: BuiltInCalls,
  ) {}

  isKnown(tool: string, args: unknown): boolean {
    return builtInNames.includes(tool) || this.bridge.resolve(tool, args) !== undefined;
  }

  /** Which tool of a server a call means, and what the server gets. */
  atServer(tool: string, args: unknown): McpCall | undefined {
    const found = this.bridge.resolve(tool, args);
    const isDirect = found?.name === tool && isJsonObject(args);
    return (
      found && {
        server: found.server,
        tool: found.tool,
        ...(isDirect && { args: found.model.names.toServer(args) }),
      }
    );
  }

  async describe(tool: string, args: unknown): Promise<CallSubject> {
    const target = this.bridge.resolve(tool, args);
    if (target) {
      const identity = this.identities.identify(tool, args);
      const pin = (callId: string) => this.bridge.setTarget(callId, target, identity.key);
      return { identity, pin };
    }
    if (builtInNames.includes(tool)) {
      return await this.builtIns.describe(tool, args);
    }
    const identity = { key: tool, claims: [] };
    return runsWithoutAsking(tool)
      ? { identity }
      : { identity, refusal: `There is no tool "${tool}" any more.` };
  }
}

/** Tools that a model's provider refused, each set aside for one conversation until the user wants it back. */
import type { Disposable } from '../../base/disposable.js';
import { Emitter } from '../../base/event.js';
import type { McpServerId } from '../../config/definition.js';

export interface RefusedTool {
  readonly serverId: McpServerId;
  readonly tool: string;
  /** Another one when the model would see another tool, which may be tried again. */
  readonly signature: string;
  /** What the provider said. */
  readonly reason: string;
}

/** Nothing of it outlives the window: the next provider may take the tool. */
export class SetAsideTools implements Disposable {
  private readonly changeEmitter = new Emitter<void>();
  private readonly byConversation = new Map<object, readonly RefusedTool[]>();

  readonly onDidChange = this.changeEmitter.event;

  add(conversation: object, refused: RefusedTool): void {
    const known = this.byConversation.get(conversation) ?? [];
    this.byConversation.set(conversation, [...known, refused]);
    this.changeEmitter.fire();
  }

  has(conversation: object, tool: Omit<RefusedTool, 'reason'>): boolean {
    const known = this.byConversation.get(conversation) ?? [];
    return known.some((one) => isSame(one, tool) && one.signature === tool.signature);
  }

  /** Why a tool is set aside in any conversation. */
  reasonFor(serverId: McpServerId, tool: string): string | undefined {
    const all = [...this.byConversation.values()].flat();
    return all.find((one) => isSame(one, { serverId, tool }))?.reason;
  }

  /** Lets every conversation offer a tool again. */
  restore(serverId: McpServerId, tool: string): void {
    if (this.reasonFor(serverId, tool) === undefined) {
      return;
    }
    for (const [conversation, known] of this.byConversation) {
      const others = known.filter((one) => !isSame(one, { serverId, tool }));
      this.byConversation.set(conversation, others);
    }
    this.changeEmitter.fire();
  }

  /** The conversation is over. */
  forget(conversation: object): void {
    if (this.byConversation.delete(conversation)) {
      this.changeEmitter.fire();
    }
  }

  dispose(): void {
    this.changeEmitter.dispose();
  }
}

function isSame(
  one: Pick<RefusedTool, 'serverId' | 'tool'>,
  other: Pick<RefusedTool, 'serverId' | 'tool'>,
): boolean {
  return one.serverId === other.serverId && one.tool === other.tool;
}

/** Calls what the model is offered as Pi does. */
import type { PiTool, PiToolResult } from '../../src/agent/pi/piModule.js';
import type { ToolBridge } from '../../src/agent/tools/toolBridge.js';

type Execute = PiTool['execute'];

/** @returns what the tool says; undefined when it is not offered. */
export async function callAsModel(
  bridge: ToolBridge,
  name: string,
  args: object,
): Promise<PiToolResult | undefined> {
  const id = 'call';
  const definition = bridge.offered.find((tool) => tool.name === name)?.definition;
  const prepared: unknown = definition?.prepareArguments?.(args) ?? args;
  const target = bridge.resolve(name, prepared as object);
  if (target) {
    bridge.setTarget(id, target);
  }
  return await definition?.execute(
    ...([id, prepared, undefined, undefined, undefined] as never as Parameters<Execute>),
  );
}

export function textOf(result: PiToolResult | undefined): string {
  const [block] = result?.content ?? [];
  return block?.type === 'text' ? block.text : '';
}

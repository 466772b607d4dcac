import * as l10n from '@vscode/l10n';
import { isJsonObject, type JsonObject, stableStringify } from '../../base/json.js';
import type { McpScope, McpServerId } from '../../config/definition.js';
import type { SettledExposure } from '../../mcp/catalog/exposure.js';
import type { ParameterHelp } from '../../mcp/catalog/schema/parameterHelp.js';
import { parseStringifiedArguments } from '../../mcp/catalog/schema/toolArguments.js';
import { type SearchableTool, toolTitle } from '../../mcp/catalog/search/reading/toolText.js';
import type { ModelTool, ModelToolDefinition } from '../../mcp/catalog/toolCatalog.js';
import type { NamedTool } from '../../mcp/catalog/toolNames.js';
import type { McpProgress, McpTool } from '../../mcp/mcpTypes.js';
import { progressText } from '../../mcp/progressText.js';
import type { StructuredView } from '../../protocol/callWords.js';
import type { PiTool, PiToolResult } from '../pi/piModule.js';

/** A tool that the model is offered; equal signatures mean that it would see no difference. */
export interface OfferedTool {
  readonly name: string;
  readonly signature: string;
  readonly definition: PiTool;
}

/** Runs a tool for the agent. */
export type CallTool = (tool: NamedTool, call: ToolCall) => Promise<PiToolResult>;

export interface ToolCall {
  readonly id: string;
  readonly args: JsonObject;
  readonly signal: AbortSignal | undefined;
  readonly onProgress: (progress: McpProgress) => void;
  /** Gets a full sentence about the call. */
  readonly onRemark?: (text: string) => void;
  /** The call waits for the user to review its server, or does so no longer. Default: such a call fails at once. */
  readonly onReview?: (isWaiting: boolean) => void;
}

/** `details` of a result or update of a bridged tool. */
export interface BridgedToolDetails {
  readonly isMcp: true;
  readonly isError: boolean;
  readonly progress?: string;
  /** Waits for the user to review the server. */
  readonly awaitsReview?: true;
  readonly server?: string;
  readonly tool?: string;
  /** The model got only parts of the text. */
  readonly isCut?: boolean;
  /** Binary parts that are neither shown nor sent to the model. */
  readonly files?: readonly { readonly mimeType: string; readonly bytes: number }[];
  readonly structured?: StructuredView;
  /** The server has an app that shows the result. */
  readonly hasApp?: boolean;
}

/** An MCP tool as Pi runs it. The same object stays while the model would see no difference. */
export class BridgedTool implements NamedTool, SearchableTool {
  readonly name: string;
  readonly serverId: McpServerId;
  readonly server: string;
  readonly tool: string;
  readonly exposure: SettledExposure;
  readonly scope: McpScope;
  readonly purpose: string | undefined;
  readonly source: McpTool;
  readonly model: ModelToolDefinition;
  private piTool: PiTool | undefined;
  private signatureText: string | undefined;

  constructor(
    private readonly described: ModelTool,
    private readonly help: ParameterHelp,
    private readonly call: CallTool,
  ) {
    this.name = described.name;
    this.serverId = described.serverId;
    this.server = described.server;
    this.tool = described.tool;
    this.exposure = described.exposure;
    this.scope = described.scope;
    this.purpose = described.purpose;
    this.source = described.source;
    this.model = described.model;
  }

  get title(): string | undefined {
    return toolTitle(this.source);
  }

  get description(): string | undefined {
    return this.source.description;
  }

  get inputSchema(): JsonObject {
    return this.source.inputSchema;
  }

  /** Equal text means that the model would see no difference. */
  get signature(): string {
    const { name, serverId, tool, exposure, source } = this;
    const { description, inputSchema, annotations } = source;
    this.signatureText ??= stableStringify([
      name,
      serverId,
      tool,
      exposure,
      description,
      inputSchema,
      annotations,
    ]);
    return this.signatureText;
  }

  isSame(other: ModelTool): boolean {
    const { name, serverId, exposure, source } = other;
    if (this.name !== name || this.serverId !== serverId || this.exposure !== exposure) {
      return false;
    }
    return (
      this.source === source ||
      this.signature === new BridgedTool(other, this.help, this.call).signature
    );
  }

  get definition(): PiTool {
    this.piTool ??= this.define();
    return this.piTool;
  }

  /** What the server is called with when the model, or the user, writes `args`. */
  argumentsOf(args: unknown): JsonObject {
    const { schema, names } = this.model;
    const given = isJsonObject(args) ? names.toModel(args) : args;
    return names.toServer(parseStringifiedArguments(schema, given));
  }

  /**
   * Calls the tool with arguments as the model or the user wrote them.
   * @throws when they do not fit the server's own schema.
   */
  async run(call: ToolCall): Promise<PiToolResult> {
    const args = this.argumentsOf(call.args);
    const unchecked = await this.check(args);
    if (unchecked !== undefined) {
      call.onRemark?.(unchecked);
    }
    return this.withHelp(await this.call(this.described, { ...call, args }));
  }

  private withHelp(result: PiToolResult): PiToolResult {
    const text = isFailed(result) ? this.nextHelp : undefined;
    return text === undefined
      ? result
      : { ...result, content: [...result.content, { type: 'text', text }] };
  }

  /** The parameters, for who called in vain; undefined where they were told before. */
  private get nextHelp(): string | undefined {
    return this.help.textFor(this.name, this.model.schema);
  }

  private define(): PiTool {
    const { schema, description, names } = this.model;
    return {
      name: this.name,
      label: `${this.server}: ${this.title ?? this.tool}`,
      description,
      parameters: schema as PiTool['parameters'],
      prepareArguments: (args) => names.toModel(this.argumentsOf(args)) as never,
      execute: (id, args, signal, onUpdate) =>
        this.run(createToolCall(id, args as JsonObject, signal, onUpdate)),
    };
  }

  /** @returns why nobody here can tell whether the arguments fit. @throws when they do not. */
  private async check(args: JsonObject): Promise<string | undefined> {
    const verdict = await this.model.check(args);
    switch (verdict.kind) {
      case 'fits':
        return undefined;
      case 'mismatch':
        throw new Error(
          [
            l10n.t('The arguments do not fit the tool {0}: {1}', this.name, verdict.detail),
            this.nextHelp,
          ]
            .filter((line) => line !== undefined)
            .join('\n'),
        );
      case 'invalid':
      case 'unjudged':
        return l10n.t('Only the server can check these arguments: {0}', verdict.reason);
    }
  }
}

/** A call that Pi makes, which tells Pi how it goes. */
export function createToolCall(
  id: string,
  args: JsonObject,
  signal: AbortSignal | undefined,
  onUpdate: Parameters<PiTool['execute']>[3],
): ToolCall {
  const tell = (details: Omit<BridgedToolDetails, 'isMcp' | 'isError'>) =>
    onUpdate?.({ content: [], details: { isMcp: true, isError: false, ...details } });
  const say = (progress: string) => tell({ progress });
  return {
    id,
    args,
    signal,
    onRemark: say,
    onProgress: (progress) => say(progressText(progress)),
    onReview: (isWaiting) => tell(isWaiting ? { awaitsReview: true } : {}),
  };
}

/** What an outline says of it. */
export function outlined({ name, model }: Pick<BridgedTool, 'name' | 'model'>) {
  return { name, description: model.description, schema: model.schema };
}

export function textResult(text: string): PiToolResult {
  return { content: [{ type: 'text', text }], details: undefined };
}

export function isFailed({ details }: PiToolResult): boolean {
  return (details as { readonly isError?: boolean } | undefined)?.isError === true;
}

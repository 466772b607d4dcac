/** The tools of a folder as a model gets them: named, made safe, counted and exposed. */
import * as l10n from '@vscode/l10n';
import { withPauses } from '../../base/async/withPauses.js';
import { errorMessage } from '../../base/errors.js';
import type { JsonObject } from '../../base/json.js';
import { quotedName } from '../../base/text/nameToken.js';
import type { McpScope } from '../../config/definition.js';
import type { McpServer } from '../mcpApi.js';
import type { McpTool } from '../mcpTypes.js';
import { compilePattern } from '../validation/patterns.js';
import { checkSchema, type SchemaVerdict } from '../validation/schemaCheck.js';
import {
  type ExposureRules,
  requestedExposure,
  type SettledExposure,
  settleExposure,
  tokenSums,
} from './exposure.js';
import { callableTools } from './own/resourceTool.js';
import { isSkillTool } from './own/skillTool.js';
import { ParameterNames } from './schema/parameterNames.js';
import { makeSound } from './schema/soundSchema.js';
import { describeTool, makeWireSchema } from './schema/wireSchema.js';
import { purposeOf } from './search/reading/toolText.js';
import { countToolTokens, type TokenCounter } from './tokens/tokenEstimate.js';
import { type NamedTool, nameTools } from './toolNames.js';

/**
 * How many are written and counted before others get their turn. A thousand tools of 2.7 KB take 150 ms, and what one
 * server may list at most, 32 MB, takes seconds.
 */
export const toolsPerPause = 16;

/** Characters of JSON; larger schemas are refused by providers or fill the context alone. */
const maxSchemaLength = 100_000;

export interface ModelTool extends NamedTool {
  /** Of the server. */
  readonly scope: McpScope;
  /** What the server says that it is for. */
  readonly purpose?: string | undefined;
  readonly source: McpTool;
  readonly exposure: SettledExposure;
  /** Apps of its server may call it. */
  readonly isForApp: boolean;
  /** Why the tool is kept from the model; a full sentence. Its exposure is then `hidden`. */
  readonly problem?: string;
  /** What the model reads. */
  readonly model: ModelToolDefinition;
}

export interface ToolCatalogOptions extends ExposureRules {
  readonly countTokens: TokenCounter;
  /** Tokens of direct tools up to which `auto` is direct. */
  readonly budget: number;
  /** Names that no tool may take. */
  readonly reserved: readonly string[];
}

/** Names, schema and cost of one tool; what is expensive is made on first use. */
export class ModelToolDefinition {
  private made: ReturnType<typeof tryToWrite> | undefined;
  private tokenCount: number | undefined;

  constructor(
    readonly name: string,
    readonly server: string,
    private readonly source: McpTool,
  ) {}

  get description(): string {
    return this.written().description;
  }

  /** As every provider takes it. */
  get schema(): JsonObject {
    return this.written().schema;
  }

  /** What the parameters are called in {@link schema}. */
  get names(): ParameterNames {
    return this.written().names;
  }

  /** Whether arguments fit the server's own schema, which says more than {@link schema}. */
  async check(args: JsonObject): Promise<SchemaVerdict> {
    return checkSchema(makeSound(this.source.inputSchema), args, compilePattern);
  }

  /** Why no model can be given this tool. */
  get problem(): string | undefined {
    return this.written().problem;
  }

  tokens(countTokens: TokenCounter): number {
    const { name, description } = this;
    this.tokenCount ??= countToolTokens(
      { name, description, inputSchema: this.schema },
      countTokens,
    );
    return this.tokenCount;
  }

  private written() {
    this.made ??= tryToWrite(this.source, this.server);
    return this.made;
  }
}

interface WrittenTool {
  readonly description: string;
  readonly schema: JsonObject;
  readonly names: ParameterNames;
  readonly problem?: string;
}

function tryToWrite(source: McpTool, server: string): WrittenTool {
  const { name } = source;
  const description = source.description || `MCP tool '${name}' from server '${server}'.`;
  const withProblem = (problem: string) => ({
    description,
    schema: { type: 'object', properties: {} },
    names: new ParameterNames([]),
    problem,
  });
  const unusable = (reason: string) =>
    l10n.t('The parameters of tool {0} cannot be used: {1}', quotedName(name), reason);
  try {
    const wire = makeWireSchema(makeSound(source.inputSchema));
    const { length } = JSON.stringify(wire.schema);
    return length <= maxSchemaLength
      ? { ...describeTool(description, wire), names: wire.names }
      : withProblem(unusable(l10n.t('the text has more than {0} characters', maxSchemaLength)));
  } catch (error) {
    return withProblem(unusable(errorMessage(error)));
  }
}

/** Remembers what it made of a tool as long as the server lists the same object. */
export class ToolCatalog {
  private definitions = new WeakMap<McpTool, ModelToolDefinition>();

  /** In the order of servers and tools, hidden ones included. */
  list(servers: readonly McpServer[], options: ToolCatalogOptions): readonly ModelTool[] {
    const tools = findTools(servers, options).map((found) => this.expose(found, options));
    const exposures = settleExposure(tools, options.budget);
    return tools.map(({ named, requested: _, tokens: __, ...tool }, index) => ({
      ...named,
      ...tool,
      exposure: exposures[index] ?? 'hidden',
    }));
  }

  /** {@link list}, with pauses while it writes and counts tools for the first time. */
  async listWithPauses(
    servers: readonly McpServer[],
    options: ToolCatalogOptions,
  ): Promise<readonly ModelTool[]> {
    const tools: ReturnType<ToolCatalog['expose']>[] = [];
    await withPauses(findTools(servers, options), toolsPerPause, (found) => {
      tools.push(this.expose(found, options));
    });
    await withPauses(tokenSums(tools, options.budget), toolsPerPause, () => undefined);
    return this.list(servers, options);
  }

  private expose({ named, source, owner }: FoundTool, options: ToolCatalogOptions) {
    const { server, purpose } = owner;
    const { scope, options: serverOptions } = server.definition;
    const model = this.define(named, source);
    const subject = { ...named, options: serverOptions };
    const rule = requestedExposure(subject, options);
    const callers = source.ui?.visibility ?? ['model', 'app'];
    // what stands in the prompt of its skills names it
    const wanted = rule !== 'hidden' && isSkillTool(source) ? 'direct' : rule;
    const requested = callers.includes('model') ? wanted : 'hidden';
    const problem = requested === 'hidden' ? undefined : model.problem;
    return {
      named,
      scope,
      purpose,
      source,
      model,
      problem,
      isForApp: rule !== 'hidden' && callers.includes('app'),
      requested: problem === undefined ? requested : 'hidden',
      tokens: () => model.tokens(options.countTokens),
    };
  }

  private define({ name, server }: NamedTool, source: McpTool): ModelToolDefinition {
    const known = this.definitions.get(source);
    if (known?.name === name && known.server === server) {
      return known;
    }
    const made = new ModelToolDefinition(name, server, source);
    this.definitions.set(source, made);
    return made;
  }
}

interface FoundTool {
  readonly named: NamedTool;
  readonly source: McpTool;
  readonly owner: ReturnType<typeof toolsOf>;
}

function findTools(
  servers: readonly McpServer[],
  { reserved }: Pick<ToolCatalogOptions, 'reserved'>,
): readonly FoundTool[] {
  const byId = new Map(servers.map((server) => [server.id, toolsOf(server)]));
  return nameTools(servers.map(describeServer), { reserved }).flatMap((named) => {
    const owner = byId.get(named.serverId);
    const source = owner?.tools.get(named.tool);
    return owner && source ? [{ named, source, owner }] : [];
  });
}

function toolsOf(server: McpServer) {
  return {
    server,
    purpose: purposeOf(server.catalog.value),
    tools: new Map(callableTools(server).map((tool) => [tool.name, tool] as const)),
  };
}

function describeServer(server: McpServer) {
  const { id, definition } = server;
  const { name, options } = definition;
  return { id, name, prefix: options.toolPrefix, tools: callableTools(server) };
}

/** What the user says of a tool in place of its server, as a form edits it. Plain Node; no `vscode`. */
import * as l10n from '@vscode/l10n';
import { HumanError } from '../../base/errors.js';
import { asObject, defined, type JsonObject } from '../../base/json.js';
import type { ToolOverride } from '../../config/definition.js';
import { serverUnknown } from '../../config/errors.js';
import { newInput, takeName } from '../../config/fixes/quickFixes.js';
import type { SecretKeeper } from '../../config/fixes/secretKeeper.js';
import { inputId } from '../../config/lint/literalSecrets.js';
import { findField } from '../../config/schema/fields.js';
import { guideOf } from '../../config/schema/guides/guideOf.js';
import { holdsSecret } from '../../config/secrets/redact.js';
import { maskText } from '../../config/secrets/secretMask.js';
import { redactedSentinel } from '../../config/secrets/sentinel.js';
import { overrideFor } from '../../config/toolOverrides.js';
import { overrideTool } from '../../mcp/catalog/definitions/overrideTools.js';
import { findTool } from '../../mcp/catalog/findTool.js';
import { loadTokenCounter } from '../../mcp/catalog/tokens/tokenEstimate.js';
import { ModelToolDefinition } from '../../mcp/catalog/toolCatalog.js';
import type { McpServer, McpService } from '../../mcp/mcpApi.js';
import type { McpTool } from '../../mcp/mcpTypes.js';
import type { OverrideForm, WeighedOverride } from '../../protocol/server/serverProtocol.js';
import { objectParam, stringParam } from '../params.js';
import { withoutSecrets } from '../runTool/withoutSecrets.js';
import type { PresentationContext } from '../tree/presentation.js';
import type { ToolTarget } from '../tree/targets.js';

export interface OverrideParts {
  readonly service: Pick<McpService, 'getServer' | 'getPool' | 'configuration'>;
  readonly secrets: Pick<SecretKeeper, 'takenIds' | 'carryOut'>;
  readonly context: Pick<PresentationContext, 'toolFacts'>;
}

export class OverrideForms {
  constructor(
    private readonly parts: OverrideParts,
    private readonly serverId: string,
  ) {}

  /** @throws {HumanError} where nothing can be written, which says where else. */
  async read(params: unknown): Promise<OverrideForm> {
    const { tool } = this.target(params);
    const { configuration } = this.parts.service;
    const { path, override } = await configuration.readToolOverride(this.serverId, tool.name);
    return { schema: overrideSchema(tool, override), override, path };
  }

  async weigh(params: unknown): Promise<WeighedOverride> {
    const { server, tool } = this.target(params);
    const override: ToolOverride = this.checked(server, tool, params);
    const { configuration } = this.parts.service;
    const stored = (await configuration.readToolOverride(this.serverId, tool.name)).override;
    const now = overrideFor(server.definition.options.toolOverrides, tool.name) ?? {};
    // what the entry says in other files counts, too
    const others = Object.entries(now).filter(([key]) => !Object.hasOwn(stored, key));
    const whole: ToolOverride = { ...Object.fromEntries(others), ...override };
    const count = await loadTokenCounter();
    const name = this.parts.context.toolFacts?.(server, tool.name)?.modelName ?? tool.name;
    const tokens = (one: McpTool) =>
      new ModelToolDefinition(name, server.definition.name, one).tokens(count);
    const after = whole.hidden ? 0 : tokens(overrideTool(tool, whole));
    const before = tokens(tool);
    return {
      cost: l10n.t('{0} tokens, {1} before', after, before),
      kept: keepable(tool, override, objectParam(stored.arguments ?? {})),
    };
  }

  /** Secrets that were typed are stored, and the file refers to them. */
  async save(params: unknown): Promise<void> {
    const { server, tool } = this.target(params);
    const { service, secrets } = this.parts;
    const { poolId, name } = server.definition;
    const override = this.checked(server, tool, params);
    const pool = service.getPool(poolId);
    const taken = new Set(pool ? await secrets.takenIds(pool) : []);
    const answers: { readonly key: { poolId: string; inputId: string }; readonly value: string }[] =
      [];
    const kept = Object.entries(objectParam(override.arguments ?? {})).map(([key, value]) => {
      if (typeof value !== 'string' || value === redactedSentinel || !holdsSecret(value, key)) {
        return [key, value] as const;
      }
      const id = takeName(inputId(name, key), taken);
      answers.push({ key: { poolId, inputId: id }, value });
      return [key, `\${input:${id}}`] as const;
    });
    const fixed = kept.length > 0 ? Object.fromEntries(kept) : undefined;
    await secrets.carryOut({ answers }, () =>
      service.configuration.updateToolOverride(this.serverId, tool.name, {
        override: defined({ ...override, arguments: fixed }),
        inputs: answers.map(({ key }) => newInput(key.inputId)),
      }),
    );
  }

  /** The tool is as the server describes it. */
  private target(params: unknown): ToolTarget {
    const server = this.parts.service.getServer(this.serverId);
    const name = stringParam(params, 'tool');
    const { tools = [], replaced = [] } = server?.catalog.value ?? {};
    const tool = findTool(replaced, name) ?? findTool(tools, name);
    if (!server || !tool) {
      throw serverUnknown(server?.definition.name);
    }
    return { server, tool };
  }

  /** @throws {HumanError} for what the file would not be believed. */
  private checked({ definition }: McpServer, { name }: McpTool, params: unknown): JsonObject {
    const override = objectParam(objectParam(params).override);
    const entry = { command: definition.name, toolOverrides: { [name]: override } };
    const [problem] = this.parts.service.configuration.validate(definition.name, entry);
    if (problem) {
      throw new HumanError(problem.code, problem.message, { remedy: problem.remedy });
    }
    return override;
  }
}

function overrideSchema(tool: McpTool, override: JsonObject): JsonObject {
  const { inputSchema, description } = tool;
  const fields = (findField('toolOverrides')?.fields ?? []).map((field) => {
    const { label, describe } = guideOf(field);
    const said = { title: label?.(), description: describe?.().replaceAll('`', '') };
    const examples = field.name === 'description' && description ? [description] : undefined;
    const own =
      field.type === 'object'
        ? fixableArguments(inputSchema, override.arguments)
        : { type: field.type, examples };
    return [field.name, { ...said, ...own }] as const;
  });
  return {
    type: 'object',
    properties: Object.fromEntries(fields),
    additionalProperties: false,
    // what the server refers to
    $defs: inputSchema.$defs,
    definitions: inputSchema.definitions,
  };
}

/** None has to be fixed. One that is hidden stays, or is written anew. */
function fixableArguments(schema: JsonObject, fixed: unknown): JsonObject {
  const properties = asObject(schema.properties);
  const values = asObject(fixed);
  const hidden = Object.keys(values).filter((name) => values[name] === redactedSentinel);
  const names = [...new Set([...Object.keys(properties), ...hidden])];
  return {
    type: 'object',
    properties: Object.fromEntries(
      names.map((name) => {
        const own = Object.hasOwn(properties, name) ? properties[name] : { type: 'string' };
        return [name, hidden.includes(name) ? hiddenOr(own) : own];
      }),
    ),
    additionalProperties: schema.additionalProperties,
  };
}

function hiddenOr(own: unknown): JsonObject {
  return {
    oneOf: [{ title: l10n.t('Hidden, as it is in the file'), const: redactedSentinel }, own],
  };
}

/** A secret that was typed is left out; what the file has in its place stays. */
function keepable(tool: McpTool, override: ToolOverride, inFile: JsonObject): JsonObject {
  const typed = objectParam(override.arguments ?? {});
  const { args } = withoutSecrets(tool.inputSchema, typed);
  const fixed = Object.keys(typed).flatMap((name) => {
    const value = Object.hasOwn(args, name) ? args[name] : inFile[name];
    return value === undefined ? [] : [[name, value]];
  });
  const texts = Object.entries(override).filter(
    ([, value]) => typeof value !== 'string' || maskText(value) === value,
  );
  return { ...Object.fromEntries(texts), arguments: Object.fromEntries(fixed) };
}

import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import * as l10n from '@vscode/l10n';
import { errorMessage } from '../../base/errors.js';
import type { JsonObject } from '../../base/json.js';
import type { McpTool } from '../mcpTypes.js';

/** Compiling a larger schema would stall the event loop. Characters of JSON. */
const maxSchemaLength = 256 * 1024;

type Check = (value: unknown) => string | undefined;

/** Output schemas of one session's tools, each compiled when its tool is first called. */
export class OutputSchemas {
  private readonly schemas = new Map</* tool */ string, JsonObject>();
  private readonly checks = new Map</* tool */ string, Check>();
  private validator: AjvJsonSchemaValidator | undefined;

  replace(tools: readonly McpTool[]): void {
    this.schemas.clear();
    this.checks.clear();
    for (const tool of tools) {
      if (tool.outputSchema) {
        this.schemas.set(tool.name, tool.outputSchema);
      }
    }
  }

  /** One sentence about what is wrong with a result's structured content; undefined when nothing is. */
  check(tool: string, structuredContent: unknown): string | undefined {
    const schema = this.schemas.get(tool);
    if (!schema || structuredContent === undefined) {
      return undefined;
    }
    const check = this.checks.get(tool) ?? this.compile(tool, schema);
    this.checks.set(tool, check);
    return check(structuredContent);
  }

  private compile(tool: string, schema: JsonObject): Check {
    if (JSON.stringify(schema).length > maxSchemaLength) {
      return () => undefined;
    }
    try {
      this.validator ??= new AjvJsonSchemaValidator();
      const validate = this.validator.getValidator(schema);
      return (value) => {
        const { valid, errorMessage: detail } = validate(value);
        return valid
          ? undefined
          : l10n.t('The result of "{0}" does not match its output schema: {1}', tool, detail ?? '');
      };
    } catch (error) {
      let sentence: string | undefined = l10n.t(
        'The output schema of "{0}" is invalid and is ignored: {1}',
        tool,
        errorMessage(error),
      );
      return () => {
        const first = sentence;
        sentence = undefined;
        return first;
      };
    }
  }
}

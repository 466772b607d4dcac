import * as l10n from '@vscode/l10n';
import type { JsonObject } from '../../../base/json.js';
import { nameToken } from '../../../base/text/nameToken.js';
import type { McpTool } from '../../mcpTypes.js';
import { compilePattern } from '../../validation/patterns.js';
import { checkSchema } from '../../validation/schemaCheck.js';

export class OutputSchemas {
  private readonly schemas = new Map</* tool */ string, JsonObject>();
  /** Tools whose schema cannot be used and was reported. */
  private readonly useless = new Set<string>();

  replace(tools: readonly McpTool[]): void {
    this.schemas.clear();
    this.useless.clear();
    for (const tool of tools) {
      if (tool.outputSchema) {
        this.schemas.set(tool.name, tool.outputSchema);
      }
    }
  }

  /**
   * One sentence about what is wrong with a result's structured content, or about why nobody can tell; undefined when
   * nothing is. Both must be of bounded depth.
   */
  check(tool: string, structuredContent: unknown): string | undefined {
    const schema = this.schemas.get(tool);
    if (!schema || structuredContent === undefined || this.useless.has(tool)) {
      return undefined;
    }
    const verdict = checkSchema(schema, structuredContent, compilePattern);
    switch (verdict.kind) {
      case 'fits':
        return undefined;
      case 'mismatch':
        return l10n.t(
          'The result of "{0}" does not match its output schema: {1}',
          nameToken(tool),
          verdict.detail,
        );
      case 'invalid':
        this.useless.add(tool);
        return l10n.t(
          'The result of "{0}" was not checked against its output schema: {1}',
          nameToken(tool),
          verdict.reason,
        );
      case 'unjudged':
        return l10n.t(
          'The result of "{0}" was not checked against its output schema: {1}',
          nameToken(tool),
          verdict.reason,
        );
    }
  }
}

/** Tells a model that called a tool in vain what the tool takes. */
import { errorMessage } from '../../base/errors.js';
import { outlineTool } from '../../mcp/catalog/schema/toolOutline.js';
import type { ModelTool } from '../../mcp/catalog/toolCatalog.js';
import type { PiToolResult } from '../pi/piModule.js';

type DescribedTool = Pick<ModelTool, 'name' | 'model'>;

const limits = { description: 0, parameter: 120, parameters: 30 };

/** Of one conversation: for each tool the parameters are told once, since the model keeps what it has read. */
export class ParameterHelp {
  private readonly told = new Set</* name */ string>();

  /** @returns the result with the parameters below, if it is an error. */
  addTo(result: PiToolResult, tool: DescribedTool): PiToolResult {
    const isError =
      (result.details as { readonly isError?: boolean } | undefined)?.isError === true;
    const text = isError ? this.textFor(tool) : undefined;
    return text === undefined
      ? result
      : { ...result, content: [...result.content, { type: 'text', text }] };
  }

  /** @returns an error that tells the parameters as well. */
  explain(error: unknown, tool: DescribedTool): Error {
    const text = this.textFor(tool);
    const message = errorMessage(error);
    return new Error(text === undefined ? message : `${message}\n${text}`, { cause: error });
  }

  private textFor({ name, model }: DescribedTool): string | undefined {
    if (this.told.has(name)) {
      return undefined;
    }
    this.told.add(name);
    return `Parameters of ${outlineTool({ name, description: '', schema: model.schema }, limits)}`;
  }
}

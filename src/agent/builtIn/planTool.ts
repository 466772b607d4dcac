/** The `present_plan` tool: a plan that the user starts, or not. Its texts are for the model. */
import { asObject } from '../../base/json.js';
import { showHidden, showHiddenInLine } from '../../base/text/showHidden.js';
import type { PlanView } from '../../protocol/tools/approvals.js';
import type { PiTool } from '../pi/piModule.js';

export const planName = 'present_plan';

const maxSteps = 40;
const maxLine = 200;
const maxMarkdown = 20_000;

const limits = `"title" and each of 1 to ${maxSteps} "steps" have at most ${maxLine} characters, "markdown" at most ${maxMarkdown}.`;

export function createPlanTool(): PiTool {
  return {
    name: planName,
    label: planName,
    description: `Shows the user your plan and waits until they start it. Call it once the plan is ready. ${limits}`,
    parameters: {
      type: 'object',
      properties: {
        title: { type: 'string' },
        steps: { type: 'array', items: { type: 'string' } },
        markdown: { type: 'string', description: 'The plan, whole.' },
      },
      required: ['title', 'steps', 'markdown'],
    } as unknown as PiTool['parameters'],
    execute: async (_id, args) => {
      const plan = readPlan(args);
      if (!plan) {
        throw new Error(planFault);
      }
      const steps = plan.steps.map((text) => ({ text, state: 'open' as const }));
      return {
        content: [{ type: 'text', text: `Approved. Carry it out.\n\n${planMarkdown(plan)}` }],
        details: { todo: { steps } },
      };
    },
  };
}

export const planFault = `This is no plan that can be shown: ${limits}`;

/** `undefined` for what is no plan, or too long. Nothing in the texts hides or turns others. */
export function readPlan(args: unknown): PlanView | undefined {
  const { title, steps, markdown } = asObject(args);
  if (!isLine(title) || typeof markdown !== 'string' || markdown.length > maxMarkdown) {
    return undefined;
  }
  if (!Array.isArray(steps) || steps.length === 0 || steps.length > maxSteps) {
    return undefined;
  }
  return steps.every(isLine)
    ? {
        title: showHiddenInLine(title),
        steps: steps.map((step) => showHiddenInLine(step)),
        markdown: showHidden(markdown),
      }
    : undefined;
}

function isLine(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= maxLine;
}

/** What it says, whole. */
export function planMarkdown({ title, steps, markdown }: PlanView): string {
  const list = steps.map((step, index) => `${index + 1}. ${step}`).join('\n');
  return `# ${title}\n\n${list}\n\n${markdown}`.trim();
}

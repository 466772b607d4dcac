/** The `todo` tool: the model's list of steps, which the user sees above the input. Its texts are for the model. */
import type { TodoView } from '../../protocol/callWords.js';
import type { PiTool } from '../pi/piModule.js';
import { readTodo } from '../transcript/todo.js';

export const todoName = 'todo';

export function createTodoTool(): PiTool {
  return {
    name: todoName,
    label: todoName,
    description:
      'Shows the user your steps for a task of three or more. Send all steps each time; do so when one begins or is done.',
    parameters: {
      type: 'object',
      properties: {
        steps: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              text: { type: 'string' },
              state: { type: 'string', enum: ['open', 'doing', 'done'] },
            },
            required: ['text', 'state'],
          },
        },
      },
      required: ['steps'],
    } as unknown as PiTool['parameters'],
    execute: async (_id, args) => {
      const todo = readTodo(args);
      if (!todo) {
        throw new Error('Send "steps": a list of at most 40, each with "text" and "state".');
      }
      return { content: [{ type: 'text', text: answerOf(todo) }], details: { todo } };
    },
  };
}

/** As short as it can be: it stays in the conversation. */
function answerOf({ steps }: TodoView): string {
  return `${steps.filter(({ state }) => state === 'done').length} of ${steps.length} done`;
}

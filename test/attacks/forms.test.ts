/** A server whose forms imitate a question of ours, ask for secrets, or are without bounds. */
import { resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Emitter } from '../../src/base/event.js';
import type { McpServerId } from '../../src/config/definition.js';
import type { McpConnection } from '../../src/mcp/connection/mcpConnection.js';
import { FormQuestions } from '../../src/mcp/service/questions/formQuestions.js';
import {
  callForResult,
  requestOptions,
  stdioLaunch,
  TestConnections,
} from '../fixtures/connections.js';

const script = resolve('test/fixtures/servers/asking.mjs');
let connections: TestConnections;
let forms: FormQuestions;
/** Everything that the user was shown. */
let shown: string;
let answer: object;

beforeEach(() => {
  connections = new TestConnections();
  forms = new FormQuestions();
  shown = '';
  answer = {};
  forms.onDidChange(() => {
    for (const { id, message, fields } of forms.all) {
      shown += JSON.stringify([message, fields]);
      // the user sends whatever fits
      if (forms.accept(id, answer as Record<string, unknown>).length > 0) {
        forms.refuse(id, 'decline');
      }
    }
  });
});
afterEach(async () => {
  forms.dispose();
  await connections.closeAll();
});

function open(): Promise<McpConnection> {
  const launch = stdioLaunch('node', [script, connections.marker], { protocolVersion: 'legacy' });
  return connections.open(launch, {
    features: {
      roots: { list: () => [], onDidChange: new Emitter<void>().event },
      elicit: async (request, signal) => {
        if (request.kind !== 'form') {
          return { action: 'decline' };
        }
        const about = { server: 'global/asking' as McpServerId, serverName: 'asking' };
        const form = forms.create({ ...about, message: request.message, fields: request.fields });
        return (await forms.ask(form, signal)) ?? { action: 'cancel' };
      },
    },
  });
}

async function got({ session }: McpConnection, tool: string): Promise<string> {
  const result = await callForResult(session, tool, {}, requestOptions).catch((error) =>
    String(error),
  );
  return JSON.stringify(result);
}

it('control: a plain form is shown and answered', async () => {
  answer = { name: 'Ada', size: 3 };
  const connection = await open();
  expect(await got(connection, 'form')).toContain('accept');
  expect(shown).toContain('Who are you?');
});

it.each(['secret', 'thousand', 'nested'])('shows nothing of a form that is %s', async (tool) => {
  answer = { user: 'Ada', password: 'hunter2', field0: 'x' };
  const connection = await open();
  const result = await got(connection, tool);
  expect(shown).toBe('');
  expect(result).not.toContain('accept');
  expect(result).not.toContain('hunter2');
});

it('cuts an imitation short, and takes its names for names', async () => {
  answer = JSON.parse('{"__proto__":true}');
  const connection = await open();
  const result = await got(connection, 'imitation');
  expect(shown.length).toBeLessThan(5_000);
  expect(result).toContain('accept');
  expect(({} as { readonly title?: unknown }).title).toBeUndefined();
  expect(Object.prototype).not.toHaveProperty('defaultValue');
});

/** What servers may ask of us, and which generation of the protocol they do it in: real processes, both engines. */
import { resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Emitter, onceEvent } from '../../src/base/event.js';
import type { McpServerId, ProtocolPreference } from '../../src/config/definition.js';
import { chooseEngine } from '../../src/mcp/connection/engineSelection.js';
import type { McpConnection } from '../../src/mcp/connection/mcpConnection.js';
import { ProtocolVerdicts } from '../../src/mcp/connection/protocolVerdicts.js';
import type {
  ClientFeatures,
  ElicitationAnswer,
  ElicitationRequest,
  McpRoot,
  SamplingAnswer,
  SamplingRequest,
} from '../../src/mcp/connection/session/clientFeatures.js';
import { FormQuestions } from '../../src/mcp/service/questions/formQuestions.js';
import {
  callForResult,
  requestOptions,
  stdioLaunch,
  TestConnections,
} from '../fixtures/connections.js';

const script = resolve('test/fixtures/servers/asking.mjs');
let connections: TestConnections;
let asked: (ElicitationRequest | SamplingRequest)[];
let answer: ElicitationAnswer;
let sampled: SamplingAnswer | undefined;
let roots: McpRoot[];
let didChangeRoots: Emitter<void>;

beforeEach(() => {
  connections = new TestConnections();
  asked = [];
  answer = { action: 'accept', content: { name: 'Ada' } };
  sampled = { model: 'small', content: { type: 'text', text: 'Hi' }, stopReason: 'endTurn' };
  roots = [{ uri: 'file:///work', name: 'work' }];
  didChangeRoots = new Emitter<void>();
});

afterEach(async () => {
  await connections.closeAll();
  expect(await connections.processes()).toEqual([]);
});

function features(): ClientFeatures {
  return {
    roots: { list: () => roots, onDidChange: didChangeRoots.event },
    elicit: async (request) => {
      asked.push(request);
      return answer;
    },
    sample: async (request) => {
      asked.push(request);
      return sampled;
    },
  };
}

function launch(protocolVersion: ProtocolPreference, ...flags: readonly string[]) {
  return stdioLaunch('node', [script, ...flags, connections.marker], { protocolVersion });
}

/** What the server got for the question that a tool asks. */
async function ask(connection: McpConnection, tool: string): Promise<unknown> {
  const result = await callForResult(connection.session, tool, {}, requestOptions);
  return JSON.parse(String(result.content[0]?.text));
}

const wires: readonly (readonly [string, ProtocolPreference, readonly string[]])[] = [
  ['the first engine', 'legacy', []],
  ['the second engine with an older server', 'auto', []],
  ['the second engine with a newer server', 'auto', ['--modern']],
];

describe.each(wires)('%s', (_title, protocolVersion, flags) => {
  const open = (given: ClientFeatures | undefined = features()) =>
    connections.open(launch(protocolVersion, ...flags), { features: given });

  it('sends what the user gives, and no default that was taken out of the form', async () => {
    expect(await ask(await open(), 'form')).toEqual({
      action: 'accept',
      content: { name: 'Ada' },
    });
    expect(asked).toMatchObject([
      { kind: 'form', message: 'Who are you?', fields: [{ title: 'Name' }, {}] },
    ]);
  });

  it.each(['decline', 'cancel'] as const)(
    'tells the server that the user chose to %s',
    async (action) => {
      answer = { action };
      expect(await ask(await open(), 'form')).toEqual({ action });
    },
  );

  it('hands on an address, but none that is no web page', async () => {
    const connection = await open();
    expect(await ask(connection, 'visit')).toEqual({ action: 'accept' });
    await ask(connection, 'script').catch(() => undefined);
    expect(asked).toMatchObject([{ kind: 'url', url: 'https://example.test/x' }]);
  });

  it('withdraws a question with the call behind it', async () => {
    const call = new AbortController();
    let withdrawn: Promise<unknown> = Promise.resolve();
    const given: ClientFeatures = {
      elicit: async (_request, signal) => {
        withdrawn = new Promise((settle) => signal.addEventListener('abort', settle));
        call.abort();
        await withdrawn;
        return { action: 'cancel' };
      },
    };
    const { session } = await open(given);
    const options = { ...requestOptions, signal: call.signal };
    await expect(callForResult(session, 'form', {}, options)).rejects.toThrow();
    await withdrawn;
    expect(await callForResult(session, 'capabilities', {}, requestOptions)).toMatchObject({
      isError: false,
    });
  });

  it('refuses a form that is not flat', async () => {
    await ask(await open(), 'nested').catch(() => undefined);
    expect(asked).toEqual([]);
  });

  it.each(['secret', 'thousand'])('refuses a form that asks too much: %s', async (tool) => {
    const got = await ask(await open(), tool).catch(() => undefined);
    expect(JSON.stringify(got ?? '')).not.toContain('accept');
    expect(asked).toEqual([]);
  });

  it('shows a form to a page until the user answers there, and has each value checked', async () => {
    const forms = new FormQuestions();
    const given: ClientFeatures = {
      elicit: async (request, signal) => {
        if (request.kind !== 'form') {
          return { action: 'decline' };
        }
        const { message, fields } = request;
        const about = { server: 'global/asking' as McpServerId, serverName: 'asking' };
        const form = forms.create({ ...about, message, fields });
        return (await forms.ask(form, signal)) ?? { action: 'cancel' };
      },
    };
    const shown = onceEvent(forms.onDidChange);
    const got = ask(await open(given), 'form');
    await shown;
    expect(forms.all).toMatchObject([{ id: '1', serverName: 'asking', message: 'Who are you?' }]);
    expect(forms.accept('1', { name: 'A', size: 1.5 })).toEqual([
      { field: 'name', text: 'Name has 1, and must have ≥ 2' },
      { field: 'size', text: '"size" must be integer.' },
    ]);
    expect(forms.accept('1', { name: 'Ada', size: 3 })).toEqual([]);
    expect(await got).toEqual({ action: 'accept', content: { name: 'Ada', size: 3 } });
    expect(forms.all).toEqual([]);
  });

  it('lets the model answer', async () => {
    expect(await ask(await open(), 'sample')).toMatchObject({ role: 'assistant', model: 'small' });
    expect(asked).toMatchObject([{ maxTokens: 10, tools: [] }]);
  });

  it('names the folders', async () => {
    expect(await ask(await open(), 'roots')).toMatchObject({ roots });
  });

  it('declares only what is given', async () => {
    const { roots: given } = features();
    const declared = await ask(await open({ ...(given ? { roots: given } : {}) }), 'capabilities');
    expect(Object.keys(declared as object)).toContain('roots');
    expect(Object.keys(declared as object)).not.toContain('sampling');
    expect(Object.keys(declared as object)).not.toContain('elicitation');
  });

  it('hears that the list of tools changed', async () => {
    const { session } = await open();
    const changed = onceEvent(session.onDidChangeList);
    // a newer server announces it only to who has begun to listen
    const timer = setInterval(
      () => void callForResult(session, 'change', {}, requestOptions).catch(() => undefined),
      50,
    );
    expect(await changed).toBe('tools');
    clearInterval(timer);
  });

  it('keeps every tool but the unusable ones, and every block but the malformed one', async () => {
    const { session } = await open();
    const { items, notices } = await session.list('tools', requestOptions);
    expect(items).toHaveLength(14);
    expect(notices).toHaveLength(2);
    const { content } = await callForResult(session, 'odd', {}, requestOptions);
    expect(content).toEqual([{ type: 'hologram', depth: 3 }]);
  });
});

describe.each(wires.slice(0, 2))('%s', (_title, protocolVersion) => {
  it('announces changed folders', async () => {
    const connection = await connections.open(launch(protocolVersion), { features: features() });
    roots = [];
    didChangeRoots.fire();
    expect(await ask(connection, 'rootsChanged')).toBe(1);
  });

  it('visits the page that a call needs first, then calls again', async () => {
    const connection = await connections.open(launch(protocolVersion), { features: features() });
    expect(await ask(connection, 'page')).toBe('visited');
    expect(asked).toMatchObject([{ kind: 'url', url: 'https://example.test/pay' }]);
  });
});

describe('the generation of the protocol', () => {
  it('is found out in place, without a second process', async () => {
    const connection = await connections.open(launch('auto', '--modern'));
    expect(connection.session.protocolVersion).toBe('2026-07-28');
    expect(await connections.processes()).toHaveLength(1);
  });

  it('is asked for once of a server that ends when it is asked', async () => {
    const protocolVerdict = new ProtocolVerdicts().for('server');
    const options = { protocolVerdict };
    const first = await connections.open(launch('auto', '--exit-on-probe'), options);
    expect(first.session.protocolVersion).toBe('2025-11-25');
    expect(await protocolVerdict.read()).toBe('legacy');
    const second = await connections.open(launch('auto', '--exit-on-probe'), options);
    expect(second.session.serverInfo?.name).toBe('asking');
  });

  it('is remembered of an older server', async () => {
    const protocolVerdict = new ProtocolVerdicts().for('server');
    await connections.open(launch('auto'), { protocolVerdict });
    expect(await protocolVerdict.read()).toBe('legacy');
  });

  it('that an entry insists on is not given up', async () => {
    const failure = await connections.failToOpen(launch('2026-07-28'));
    expect(failure.message).not.toBe('');
    const connection = await connections.open(launch('2026-07-28', '--modern'));
    expect(connection.session.protocolVersion).toBe('2026-07-28');
  });

  it('decides the engine together with the kind of the server', () => {
    expect(chooseEngine(launch('legacy'))).toBe('sdk');
    expect(chooseEngine(launch('auto'))).toBe('client');
    expect(chooseEngine(launch('2026-07-28'))).toBe('client');
  });
});

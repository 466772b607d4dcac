/** Tools: what they cost in every request, how fast and how well they are found, what a call costs on top of the SDK. */
import { resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { defaultToolPolicy } from '../../src/agent/policy/toolPolicy.js';
import { ToolBridge } from '../../src/agent/tools/toolBridge.js';
import type { ToolExposure } from '../../src/config/definition.js';
import { defaultOptions } from '../../src/config/schema/fields.js';
import { ToolIndex } from '../../src/mcp/catalog/search/toolIndex.js';
import { loadTokenCounter, type TokenCounter } from '../../src/mcp/catalog/tokens/tokenEstimate.js';
import { createSdkEngine } from '../../src/mcp/connection/sdkEngine/sdkEngine.js';
import { StdioTransport } from '../../src/mcp/connection/stdio/stdioTransport.js';
import { createChildEnvironment } from '../../src/platform/environment/childEnvironment.js';
import { createNodeHostEnvironment } from '../../src/platform/environment/nodeHostEnvironment.js';
import { createProcessTree } from '../../src/platform/process/tree.js';
import { callForResult } from '../fixtures/connections.js';
import { readCapturedServers, searchableTools } from '../helpers/capturedTools.js';
import { CallableServer, FakeMcpService } from '../helpers/fakes/fakeAgentMcp.js';
import { generateServers } from '../helpers/generatedTools.js';
import {
  indexOf,
  measureRetrieval,
  questionSets,
  questionsOf,
  readQuestions,
  sizes,
} from '../helpers/searchEvaluation.js';
import { against, type BenchRow, type FigureRow, medianOf, mediansOf } from './measure.js';

export async function runBench(): Promise<readonly (BenchRow | FigureRow)[]> {
  const countTokens = await loadTokenCounter();
  return [
    ...standingTokens(countTokens),
    ...(await searchTimes()),
    ...retrieval(),
    ...(await callTimes(countTokens)),
  ];
}

function standingTokens(countTokens: TokenCounter): readonly FigureRow[] {
  return (['direct', 'search', 'proxy', 'auto'] as const).map((exposure) => {
    const bridge = bridgeOf(
      readCapturedServers().map(({ name, tools }) =>
        exposed(new CallableServer(name, tools, notCalled), exposure),
      ),
      countTokens,
    );
    const value = bridge.offered.reduce((total, { definition }) => {
      const { name, description, parameters } = definition;
      return total + countTokens(JSON.stringify({ name, description, parameters }));
    }, 0);
    bridge.dispose();
    return { name: `ten real servers, exposure ${exposure}, per request`, value, unit: 'tokens' };
  });
}

async function searchTimes(): Promise<readonly BenchRow[]> {
  const generated = searchableTools(generateServers(100, 50));
  const real = searchableTools(readCapturedServers());
  const copies = Array.from({ length: 5_000 }, (_, index) => {
    const tool = real[index % real.length] as (typeof real)[number];
    return { ...tool, tool: `${tool.tool}_${index}` };
  });
  const startedAt = performance.now();
  new ToolIndex(generated).search('create a draft invoice');
  const firstMs = performance.now() - startedAt;
  const [coldMs = 0, coldRealMs = 0] = await mediansOf([
    () => new ToolIndex(generated).search('create a draft invoice'),
    () => new ToolIndex(copies).search('create a draft invoice'),
  ]);
  const index = new ToolIndex(generated);
  const indexOfReal = new ToolIndex(copies);
  const all = questionSets.flatMap(readQuestions).map(({ text }) => text);
  const warm = async (searched: ToolIndex<(typeof copies)[number]>) => {
    const times: number[] = [];
    for (const query of all) {
      times.push(await medianOf(() => searched.search(query), { warmUps: 1, rounds: 5 }));
    }
    return times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
  };
  return [
    { name: 'search 5,000 generated tools, index and code cold (one run)', ms: firstMs },
    { name: 'search 5,000 generated tools, index cold', ms: coldMs },
    { name: 'search 5,000 copies of real tools, index cold', ms: coldRealMs },
    { name: 'search 5,000 generated tools, warm', ms: await warm(index) },
    { name: 'search 5,000 copies of real tools, warm', ms: await warm(indexOfReal) },
  ];
}

function retrieval(): readonly FigureRow[] {
  return sizes.flatMap((size) => {
    const index = indexOf(size);
    return questionSets.flatMap((set) => {
      const { asked, first, firstFive, empty } = measureRetrieval(index, questionsOf(size, set));
      const name = `${index.tools.length} tools, ${asked} questions, ${set}`;
      return [
        { name: `recall@1, ${name}`, value: first, unit: '' },
        { name: `recall@5, ${name}`, value: firstFive, unit: '' },
        { name: `empty answers, ${name}`, value: empty.length, unit: '' },
      ];
    });
  });
}

const calls = 300;

/** The same server twice: through the SDK's own client, and through everything that the agent puts in between. */
async function callTimes(countTokens: TokenCounter): Promise<readonly BenchRow[]> {
  const entry = resolve('node_modules/@modelcontextprotocol/server-everything/dist/index.js');
  const client = new Client({ name: 'bench', version: '1.0.0' });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [entry], stderr: 'ignore' }),
  );
  const session = await createSdkEngine().connect(
    new StdioTransport(
      {
        executable: process.execPath,
        args: [entry],
        cwd: process.cwd(),
        env: await createChildEnvironment(createNodeHostEnvironment(), {
          env: {},
          inheritEnv: false,
        }),
      },
      { tree: createProcessTree(), onNotice: () => undefined },
    ),
    {
      clientInfo: { name: 'bench', version: '1.0.0' },
      signal: new AbortController().signal,
      timeoutMs: 20_000,
      onNotice: () => undefined,
    },
  );
  try {
    const { items } = await session.list('tools', { timeoutMs: 20_000 });
    const many = generateServers(1, 1_000)[0]?.tools ?? [];
    const server = new CallableServer('everything', [...items, ...many], (name, args, options) =>
      callForResult(session, name, args, { timeoutMs: 20_000, ...options }),
    );
    const bridge = bridgeOf([exposed(server, 'direct')], countTokens);
    const tool = bridge.tools.get('everything__echo');
    if (!tool) {
      throw new Error('The agent is not offered the tool echo');
    }
    const args = { message: 'hello' };
    const repeat = async (call: () => Promise<unknown> | undefined) => {
      for (let count = 0; count < calls; count++) {
        await call();
      }
    };
    const [rawMs = 0, bridgedMs = 0] = await mediansOf([
      () => repeat(() => client.callTool({ name: 'echo', arguments: args })),
      () =>
        repeat(() => {
          bridge.setTarget('call', tool);
          return tool.definition.execute(
            'call',
            args as never,
            undefined,
            undefined,
            undefined as never,
          );
        }),
    ]);
    bridge.dispose();
    const raw = { name: 'one call, SDK client, stdio', ms: rawMs / calls };
    return [raw, against(raw, 'one call, agent tool beside 1,000 others', bridgedMs / calls)];
  } finally {
    await Promise.all([client.close(), session.close()]);
  }
}

const notCalled = () => Promise.reject(new Error('not called'));

function exposed(server: CallableServer, exposure: ToolExposure): CallableServer {
  const definition = { ...server.definition, options: { ...defaultOptions, exposure } };
  return Object.assign(server, { definition });
}

function bridgeOf(servers: readonly CallableServer[], countTokens: TokenCounter): ToolBridge {
  return new ToolBridge({
    service: new FakeMcpService(servers).asService,
    folderUri: undefined,
    countTokens,
    policy: defaultToolPolicy,
  });
}

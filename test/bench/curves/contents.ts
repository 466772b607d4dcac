/** Long conversations, large results, large configuration files. */
import { PanelFeed } from '../../../src/agent/panel/feed.js';
import { restoreTranscript } from '../../../src/agent/session/stored/restoreTranscript.js';
import { reduceTranscript } from '../../../src/agent/transcript/transcript.js';
import { EditableConfig } from '../../../src/config/edit/editConfig.js';
import { lintConfig } from '../../../src/config/lint/lintConfig.js';
import { parseJsonDocument } from '../../../src/config/parse/jsonDocument.js';
import { mergeConfig } from '../../../src/config/parse/mergeConfig.js';
import { parseConfig } from '../../../src/config/parse/parseConfig.js';
import { resultForModel } from '../../../src/mcp/catalog/modelCall.js';
import { loadTokenCounter } from '../../../src/mcp/catalog/tokens/tokenEstimate.js';
import type { AgentViewState } from '../../../src/protocol/agentProtocol.js';
import { liveEvents, storedConversation } from '../../fixtures/conversations.js';
import { timed, usedHeap } from '../connections/figures.js';
import { stdioEntry, withCore } from '../connections/parties.js';
import { surroundings } from '../surroundings.js';
import { type Curve, leastOf, type Measured, sweep } from './curve.js';

const megabyte = 1024 * 1024;
const noName = () => undefined;

export function turnCurve(): Promise<Curve> {
  return sweep(
    { id: 'turns', title: 'Turns of a conversation, each with a call', axis: 'turns' },
    [1, 10, 50, 200, 500, 1_000, 2_000, 5_000],
    async (size) => {
      const stored = storedConversation(size);
      const before = await usedHeap();
      const transcript = await restoreTranscript(stored, noName);
      const held = (await usedHeap()) - before;
      const goOn = () =>
        Array.from({ length: 50 }, (_, turn) => liveEvents(turn))
          .flat()
          .reduce((now, event) => reduceTranscript(now, event, noName), transcript);
      const show = () => {
        const feed = new PanelFeed({
          state: () => ({}) as AgentViewState,
          transcript: () => transcript,
          conversation: () => 'bench',
          draft: () => undefined,
        });
        feed.reset();
        const text = JSON.stringify(feed.snapshot());
        feed.dispose();
        return text;
      };
      const [open = 0, turns = 0, shown = 0] = await leastOf([
        () => restoreTranscript(stored, noName),
        goOn,
        show,
      ]);
      return {
        'open, ms': open,
        '50 more turns, ms': turns,
        'what the page is sent first, ms': shown,
        'transcript, MB': held / megabyte,
        'what the page is sent first, MB': show().length / megabyte,
      } as const;
    },
  );
}

/** Larger answers are refused. */
const largestMegabytes = 31;

export async function resultCurve(): Promise<Curve> {
  const countTokens = await loadTokenCounter();
  const kilobytes = [1, 10, 100, 1_000, 4_000, 10_000, largestMegabytes * 1_024, 102_400];
  return withCore({ one: stdioEntry() }, async ({ server }) => {
    const one = server('one');
    await one.ensureConnected();
    return sweep(
      {
        id: 'results',
        title: 'Result of a call, refused above 32 MB',
        axis: 'kilobytes of its text',
      },
      kilobytes,
      async (size): Promise<Measured> => {
        const call = () => one.callTool('large', { message: '', bytes: size * 1_024 });
        if (size > largestMegabytes * 1_024) {
          const refusal = await timed(() => call().catch(() => undefined));
          return { 'refuse, ms': refusal };
        }
        const before = await usedHeap();
        const result = await call();
        const held = (await usedHeap()) - before;
        const mapped = () => resultForModel(result, one, {}, countTokens);
        const [receive = 0, shorten = 0] = await leastOf([call, mapped], size > 1_000 ? 4 : 7);
        return {
          'receive over stdio, ms': receive,
          'shorten for the model, ms': shorten,
          'held, MB': held / megabyte,
        } as const;
      },
    );
  });
}

const location = {
  layer: 'project',
  path: '/work/.mcp.json',
  isPrimary: true,
  isForeignFile: false,
} as const;

export function configurationCurve(): Promise<Curve> {
  return sweep(
    { id: 'configuration', title: 'Entries of a configuration file', axis: 'entries' },
    [1, 3, 10, 30, 100, 300, 1_000],
    async (size) => {
      const text = configText(size);
      const parse = () => parseConfig(text, location);
      const before = await usedHeap();
      const file = parse();
      const held = (await usedHeap()) - before;
      const document = parseJsonDocument(text);
      const [parsing = 0, merging = 0, linting = 0, editing = 0] = await leastOf([
        parse,
        () => mergeConfig([file], { poolId: 'file:///work', folder: undefined }),
        () => lintConfig({ file, document, isCommitted: true }, surroundings),
        () => new EditableConfig(text, location).changeServer('server-0', { debug: true }),
      ]);
      return {
        'parse and validate, ms': parsing,
        'merge, ms': merging,
        'all checks, ms': linting,
        'change a field, ms': editing,
        'parsed, MB': held / megabyte,
      } as const;
    },
  );
}

function configText(size: number): string {
  const entries = Array.from({ length: size }, (_, index) => [
    `server-${index}`,
    index % 3 === 1
      ? { type: 'http', url: `https://host${index}.example/mcp`, headers: { 'X-Team': 'a' } }
      : {
          command: 'npx',
          args: ['-y', `package-${index}@1.2.3`, '--root', '${workspaceFolder}/data'],
          env: { LOG_LEVEL: 'info', TOKEN: '${TOKEN:-none}' },
        },
  ]);
  return JSON.stringify({ mcpServers: Object.fromEntries(entries) }, undefined, 2);
}

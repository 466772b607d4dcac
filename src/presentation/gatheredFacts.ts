import type { ToolOverview } from '../agent/tools/toolOverview.js';
import { DisposableOwner } from '../base/disposable.js';
import { Emitter } from '../base/event.js';
import type { FolderGateways } from '../gateway/folderGateways.js';
import type { HandOvers } from '../gateway/handOvers.js';
import type { McpServer } from '../mcp/mcpApi.js';
import type { DoubleStarts } from '../mcp/otherClients/doubleStarts.js';
import type { OpenQuestions } from '../mcp/service/questions/openQuestions.js';
import type { ServerAdvice } from './language/serverAdvice.js';
import type { OtherUse, RowFacts } from './tree/presentation.js';

interface RowFactParts {
  readonly tools: ToolOverview;
  readonly questions: OpenQuestions;
  readonly advice: ServerAdvice;
  readonly gateways: FolderGateways;
  readonly handOvers: HandOvers;
  readonly doubleStarts: DoubleStarts;
}

/** Brings together all who know something about servers and their tools. */
export class GatheredFacts extends DisposableOwner implements RowFacts {
  private readonly emitter = this.store.add(new Emitter<void>());
  readonly onDidChange = this.emitter.event;
  readonly context: RowFacts['context'];

  constructor(private readonly parts: RowFactParts) {
    super();
    const { tools, questions, advice, gateways, handOvers, doubleStarts } = parts;
    const sources = [tools, questions, advice, gateways, handOvers, doubleStarts];
    for (const { onDidChange } of sources) {
      this.store.add(onDidChange(() => this.emitter.fire()));
    }
    this.context = {
      problemsOf: (server) => advice.of(server),
      toolFacts: (server, tool) => tools.factsOf(server, tool),
      profileOf: (folderUri) => tools.profileOf(folderUri),
      unknownPatterns: (folderUri) => tools.unknownPatterns(folderUri),
      serverStatistic: (server) => tools.statisticOf(server),
      appConsents: (server) => tools.appConsentsOf(server),
      isLent: (folderUri) => gateways.get(folderUri) !== undefined,
      asksWho: () => doubleStarts.asksWho,
      otherUse: (server) => this.otherUseOf(server),
      openQuestion: (server) => questions.of(server.id)[0]?.text,
    };
  }

  private otherUseOf(server: McpServer): OtherUse {
    const { handOvers, doubleStarts } = this.parts;
    return { start: doubleStarts.of(server), handOver: handOvers.stateOf(server) };
  }
}

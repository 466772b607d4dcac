import { Coalescer } from '../../base/async/coalescer.js';
import { DisposableOwner } from '../../base/disposable.js';
import { Emitter, type Event } from '../../base/event.js';
import type { ConfigProblem, McpServerDefinition } from '../../config/definition.js';
import {
  type ConfigFilePlace,
  importablePlaces,
  ownFilePlaces,
} from '../../config/discovery/filePlaces.js';
import { lintFile } from '../../config/lint/lintFile.js';
import type { OtherClient } from '../../config/lint/lintTypes.js';
import { toSeverityChoices, withSeverities } from '../../config/lint/severityChoices.js';
import { parseJsonDocument } from '../../config/parse/jsonDocument.js';
import { parseLocation } from '../../config/parse/parseLocation.js';
import type { Machine } from '../../config/ports.js';
import type { McpServer, McpService } from '../../mcp/mcpApi.js';
import { serverOfEntry } from './entryServer.js';
import { isConsentedEntry } from './mayShowValues.js';

/** Settings of severities, of whatever shape somebody wrote. */
export interface WrittenSeverities {
  readonly user: unknown;
  /** From settings files that a repository can bring along. */
  readonly project: unknown;
}

export interface ServerAdviceParts {
  readonly service: McpService;
  readonly machine: Machine;
  readonly globalConfigPath: () => string;
  /** What is said depends on them beside the files, the servers and trust. */
  readonly rules: {
    readonly severities: () => WrittenSeverities;
    /** Used here, as far as the editor knows. */
    readonly clients: () => readonly OtherClient[];
    readonly onDidChange: Event<void>;
  };
  readonly onError: (error: unknown) => void;
  /** Milliseconds. Default: long enough that a start with many servers is over. */
  readonly delayMs?: number;
}

/**
 * What is wrong with the entries of servers and what could be better, for whatever shows a server: its row, tooltip and
 * card. Files are looked at once somebody asks.
 */
export class ServerAdvice extends DisposableOwner {
  private readonly emitter = this.store.add(new Emitter<void>());
  readonly onDidChange = this.emitter.event;
  private readonly update: Coalescer;
  private found: ReadonlyMap</* path */ string, readonly ConfigProblem[]> = new Map();
  private isAsked = false;
  /** What all servers were told when that changed last, as text. */
  private said = '[]';

  constructor(private readonly parts: ServerAdviceParts) {
    super();
    const { service, rules, onError, delayMs = 500 } = parts;
    this.update = this.store.add(new Coalescer(() => this.look(), { delayMs, onError }));
    for (const event of [service.onDidChangePools, service.trust.onDidChange, rules.onDidChange]) {
      this.store.add(
        event(() => {
          if (this.isAsked) {
            this.update.request();
          }
        }),
      );
    }
  }

  /** As far as it is known by now; asks for the rest. */
  of({ definition }: McpServer): readonly ConfigProblem[] {
    if (!this.isAsked) {
      this.isAsked = true;
      this.update.request();
    }
    const { user, project } = this.parts.rules.severities();
    return withSeverities(
      allProblems(definition, this.found.get(definition.origin.path) ?? []),
      toSeverityChoices(user),
      toSeverityChoices(project),
    );
  }

  private async look(): Promise<void> {
    const { service, machine, globalConfigPath, onError } = this.parts;
    const used = new Set(service.pools.flatMap(({ files }) => files));
    const places = [
      ...ownFilePlaces(machine.workspace.folders, machine.environment, globalConfigPath()),
      ...importablePlaces(machine.workspace.folders, machine.environment),
    ].filter(({ location }) => used.has(location.path));
    const found = await Promise.all(
      places.map(async (place) => {
        const problems = await this.lookAt(place).catch((error: unknown) => {
          // one file takes no other along
          onError(error);
          return [];
        });
        return [place.location.path, problems] as const;
      }),
    );
    if (!this.store.isDisposed) {
      this.found = new Map(found);
      this.announce();
    }
  }

  /** Rows that are drawn anew for nothing lose the clicks of their users. */
  private announce(): void {
    const told = this.parts.service.servers.flatMap((server) => {
      const problems = this.of(server).map(({ code, severity, message }) => [
        code,
        severity,
        message,
      ]);
      return problems.length > 0 ? [[server.id, problems]] : [];
    });
    const said = JSON.stringify(told);
    if (said !== this.said) {
      this.said = said;
      this.emitter.fire();
    }
  }

  private async lookAt({
    poolId,
    folder,
    location,
  }: ConfigFilePlace): Promise<readonly ConfigProblem[]> {
    const { service, machine, rules } = this.parts;
    // what cannot be read is a problem of the file, which its row tells
    const text = service.configuration.knownText(location.path);
    return text === undefined
      ? []
      : lintFile(
          {
            file: parseLocation(text, location),
            document: parseJsonDocument(text),
            location,
            folder,
          },
          {
            environment: machine.environment,
            isTrusted: machine.workspace.isTrusted,
            clients: rules.clients(),
            isConsented: (entry) =>
              isConsentedEntry(entry, serverOfEntry(service, poolId, entry), folder, service.trust),
          },
        );
  }
}

/** Of the entry itself first. A rule may say again what is known without it. */
function allProblems(
  { name, problems }: McpServerDefinition,
  findings: readonly ConfigProblem[],
): readonly ConfigProblem[] {
  const known = new Set(problems.map(({ message }) => message));
  const others = findings.filter(({ server, message }) => server === name && !known.has(message));
  return [...problems, ...others];
}

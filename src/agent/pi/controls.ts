/** What a user does with a session beside talking to it. */
import { type ExtensionReport, emptyReport } from './extensionReport.js';
import type { PiSession } from './piModule.js';

export type ThinkingLevel = PiSession['thinkingLevel'];

/** A word of Pi that a message may begin with. */
export interface PiWord {
  /** Without the slash. */
  readonly name: string;
  readonly description: string;
  readonly argumentHint?: string;
}

export class PiControls {
  /** What became of the extensions of the user. */
  extensions: ExtensionReport = emptyReport;

  /** Takes up what the user's Pi settings say now. */
  rereadSettings: () => Promise<void> = () => Promise.resolve();
  private wanted: ThinkingLevel | undefined;

  /** @param session throws when there is none any more */
  constructor(private readonly session: () => PiSession) {}

  /** Summarizes what was said, so that it takes less room. Does not wait: the transcript says how it goes. */
  compact(focus: string | undefined): void {
    // its failure is an event as well
    this.session()
      .compact(focus)
      .catch(() => undefined);
  }

  /** Writes the shown branch as Pi keeps it. @param path absolute @throws when it cannot be written */
  exportTo(path: string): void {
    this.session().exportToJsonl(path);
  }

  /** Ends a summary that is being made, by whomever. */
  cancelCompaction(): void {
    this.session().abortCompaction();
  }

  /** Whoever serves the model, by the name that users know. */
  get providerName(): string {
    const { model, modelRuntime } = this.session();
    return model ? (modelRuntime.getProvider(model.provider)?.name ?? model.provider) : '';
  }

  get thinkingLevel(): ThinkingLevel {
    return this.session().thinkingLevel;
  }

  /** Of the current model, `off` included. */
  get thinkingLevels(): readonly ThinkingLevel[] {
    return this.session().getAvailableThinkingLevels();
  }

  /** What the user asked for; the model may know fewer levels. */
  get wantedLevel(): ThinkingLevel {
    return this.wanted ?? this.thinkingLevel;
  }

  /** @returns what it became: a model may know fewer levels. */
  setThinkingLevel(level: ThinkingLevel): ThinkingLevel {
    const session = this.session();
    session.setThinkingLevel(level);
    this.wanted = level;
    return session.thinkingLevel;
  }

  /** In the order in which Pi looks them up. */
  get words(): readonly PiWord[] {
    const { extensionRunner, resourceLoader, promptTemplates } = this.session();
    return [
      ...extensionRunner
        .getRegisteredCommands()
        .map(({ invocationName: name, description = '' }) => ({ name, description })),
      ...resourceLoader
        .getSkills()
        .skills.map(({ name, description }) => ({ name: `skill:${name}`, description })),
      ...promptTemplates.map(({ name, description, argumentHint }) => ({
        name,
        description,
        argumentHint,
      })),
    ];
  }
}

import { errorMessage } from '../../base/errors.js';
import { ValueEmitter } from '../../base/valueEmitter.js';
import type { DefinitionsMode, McpServerDefinition } from '../../config/definition.js';
import { hashOf } from '../../config/launch/launchHash.js';
import type { Logger } from '../../platform/ports.js';
import type { DefinitionPinFiles } from '../catalog/definitions/definitionPinFiles.js';
import { ToolOverrides } from '../catalog/definitions/overrideTools.js';
import {
  type DefinitionPins,
  definitionsOf,
  type PinnedDefinition,
  pinKey,
  pinUse,
  settleDefinitions,
} from '../catalog/definitions/settleDefinitions.js';
import { loadIcons } from '../catalog/icons.js';
import type { McpSession } from '../connection/session/engine.js';
import {
  type DefinitionChange,
  emptyCatalog,
  type McpCatalog,
  type McpSkill,
} from '../mcpTypes.js';

export interface KnownCatalogPorts {
  /** As it is now. */
  readonly definition: () => McpServerDefinition;
  readonly pins: DefinitionPinFiles;
  readonly logger: () => Logger;
  /** What the server lists was read, and is used like this; `emptyCatalog`: nothing is to be remembered. */
  readonly onDidRead: (catalog: McpCatalog) => void;
}

/** What is known of what a server offers: as it lists it, less what a person has not agreed to, in the words of the entry. */
export class KnownCatalog {
  readonly used = new ValueEmitter<McpCatalog>(emptyCatalog);
  /** What is used, in the server's words. */
  private settled = emptyCatalog;
  private readonly overrides = new ToolOverrides();
  /** As the server gave it. */
  private listed: McpCatalog | undefined;
  /** From where that came. */
  private session: McpSession | undefined;
  /** Default: nothing was agreed to yet, so that what comes first is. */
  private pins: DefinitionPins | undefined;
  /** It came from the server, or from the cache. */
  isKnown = false;

  constructor(private readonly ports: KnownCatalogPorts) {}

  /** What was listed by the connection that is open now, or was open last; else what is used. */
  get latest(): McpCatalog {
    return this.listed ?? this.settled;
  }

  /** Reads what was agreed to, which another window may have changed. Call it before the first list. Never rejects. */
  async prepare(): Promise<void> {
    try {
      this.pins = await this.ports.pins.load(this.ports.definition());
    } catch (error) {
      // without what was agreed to, all of it counts as changed
      this.pins = new Map();
      this.warn(error);
    }
  }

  learn(session: McpSession, lists: McpCatalog): void {
    const isPrivate = [...session.listHints.values()].some((hint) => hint.isPrivate);
    const catalog = isPrivate ? { ...lists, isPrivate } : lists;
    this.session = session;
    this.isKnown = true;
    this.listed = catalog;
    if (!this.pins && this.mode !== 'accept') {
      const first = definitionsOf(catalog);
      this.pins = new Map(first.map((one) => [pinKey(one), one]));
      void this.store(first).catch((error) => this.warn(error));
    }
    this.settle();
    this.ports.onDidRead(this.settled);
    // icons must not delay the connect
    const isCurrent = () => this.listed === catalog;
    void loadIcons(session, catalog, (complete) => isCurrent() && this.learn(session, complete));
  }

  /** Lists that were read again; those of a server that ends after it was forgotten come too late. */
  renew(session: McpSession, part: Partial<McpCatalog>): void {
    if (session === this.session) {
      this.learn(session, { ...this.latest, ...part });
    }
  }

  /** Shows what was used when the server ran last, until it is asked. */
  restore(definition: McpServerDefinition, catalog: McpCatalog): void {
    if (!this.isKnown && hashOf(definition) === hashOf(this.ports.definition())) {
      this.isKnown = true;
      this.use(catalog);
    }
  }

  /** Another launch is another server. */
  forget(): void {
    this.isKnown = false;
    this.listed = undefined;
    this.session = undefined;
    this.pins = undefined;
    this.use(emptyCatalog);
  }

  /** Another account may see other lists: what was for one alone is left nowhere. */
  forgetPrivate(): void {
    if (this.settled.isPrivate) {
      this.forget();
      this.ports.onDidRead(emptyCatalog);
    }
  }

  /** The entry says something else about changes, or of tools. */
  review(): void {
    if (this.listed && this.pins) {
      this.settle();
    } else {
      this.use(this.settled);
    }
  }

  /**
   * Agrees to exactly these changes; what changed again since is none of them.
   * @param fingerprints of changes @throws when it could not be stored
   */
  async accept(fingerprints: readonly string[]): Promise<void> {
    const { changes = [] } = this.settled;
    const agreed = changes.filter(({ fingerprint }) => fingerprints.includes(fingerprint));
    if (agreed.length === 0) {
      return;
    }
    this.pins = await this.store(agreed.map(toPinned));
    if (this.listed) {
      this.settle();
      this.ports.onDidRead(this.settled);
    } else {
      const { changes: _, ...settled } = this.settled;
      const left = changes.filter((one) => !agreed.includes(one));
      this.use(left.length > 0 ? { ...settled, changes: left } : settled);
    }
  }

  /** A person was shown this skill as it is, and lets it be used. */
  mayUse(skill: McpSkill): boolean {
    const use = pinUse(skill);
    return this.pins?.get(pinKey(use))?.fingerprint === use.fingerprint;
  }

  /** @throws when it could not be stored */
  async allowUse(skill: McpSkill): Promise<void> {
    // a file without the rest would say that nobody has agreed to that
    const rest = this.pins ? [] : definitionsOf(this.latest);
    this.pins = await this.store([...rest, pinUse(skill)]);
  }

  dispose(): void {
    this.used.dispose();
  }

  private get mode(): DefinitionsMode {
    const { options, launch, scope } = this.ports.definition();
    const isOfOthers = scope === 'folder' || launch?.kind === 'http';
    return options.definitions ?? (isOfOthers ? 'hold' : 'announce');
  }

  private settle(): void {
    const { listed } = this;
    if (listed) {
      this.use(settleDefinitions(listed, this.pins ?? new Map(), this.mode));
    }
  }

  private use(settled: McpCatalog): void {
    this.settled = settled;
    const { toolOverrides } = this.ports.definition().options;
    this.used.set(this.overrides.apply(settled, toolOverrides));
  }

  private store(agreed: readonly PinnedDefinition[]): Promise<DefinitionPins> {
    const listed = new Set(definitionsOf(this.latest).map(pinKey));
    return this.ports.pins.add(this.ports.definition(), agreed, listed);
  }

  private warn(error: unknown): void {
    this.ports.logger().log('warn', `Definitions agreed to: ${errorMessage(error)}`);
  }
}

function toPinned({ kind, name, fingerprint, definition }: DefinitionChange): PinnedDefinition {
  return { kind, name, fingerprint, definition };
}

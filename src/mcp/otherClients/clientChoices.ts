/** What the user said to entries that other clients would start, or have started, too. */
import { Emitter } from '../../base/event.js';
import { asObject, readEntries } from '../../base/json.js';
import type { McpServerDefinition, McpServerId } from '../../config/definition.js';
import { hashOf } from '../../config/launch/launchHash.js';
import type { KeptValue } from '../../platform/ports.js';

/** `both`: each client runs its own. `left`: only the other one does. */
export type ClientChoice = 'both' | 'left';

interface KeptChoice {
  readonly choice: ClientChoice;
  /** Of the launch that it was said to. */
  readonly hash: string;
}

export type KeptChoices = Readonly<Record<McpServerId, KeptChoice>>;

/** Of this workspace. */
export interface ClientChoiceMemory {
  readonly choices: KeptValue<KeptChoices>;
  /** Whether the user was asked who starts the servers. */
  readonly asked: KeptValue<boolean>;
}

/** A choice holds for one entry, and for as long as that starts the same. */
export class ClientChoices {
  private readonly emitter = new Emitter<void>();
  readonly onDidChange = this.emitter.event;
  private choices: KeptChoices;

  constructor(private readonly memory: ClientChoiceMemory) {
    this.choices = readEntries(memory.choices.recall(), readChoice);
  }

  get wasAsked(): boolean {
    return this.memory.asked.recall() === true;
  }

  /** Asks no more by itself. */
  async settle(): Promise<void> {
    await this.memory.asked.remember(true);
    this.emitter.fire();
  }

  of(definition: McpServerDefinition): ClientChoice | undefined {
    const kept = Object.hasOwn(this.choices, definition.id)
      ? this.choices[definition.id]
      : undefined;
    if (kept?.hash !== hashOf(definition)) {
      return undefined;
    }
    // who switches it on again wants it here
    return kept.choice === 'left' && definition.enabled ? undefined : kept.choice;
  }

  /** @param choice `undefined` forgets it */
  async choose(definition: McpServerDefinition, choice: ClientChoice | undefined): Promise<void> {
    const others = Object.entries(this.choices).filter(([id]) => id !== definition.id);
    const entry = choice && ([definition.id, { choice, hash: hashOf(definition) }] as const);
    this.choices = Object.fromEntries(entry ? [...others, entry] : others);
    this.emitter.fire();
    await this.memory.choices.remember(this.choices);
  }
}

function readChoice(value: unknown): KeptChoice | undefined {
  const { choice, hash } = asObject(value);
  return (choice === 'both' || choice === 'left') && typeof hash === 'string'
    ? { choice, hash }
    : undefined;
}

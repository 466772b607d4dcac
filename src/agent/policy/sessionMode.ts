/** How much runs without a question in one conversation. The user alone says it, and nothing of it is in Pi's file. */
import { DisposableOwner } from '../../base/disposable.js';
import { Emitter } from '../../base/event.js';
import type { ObservableValue } from '../../base/valueEmitter.js';
import type { AgentMode } from '../../protocol/tools/modes.js';

export interface SessionModeOptions {
  /** Of conversations in which nobody has chosen. */
  readonly byDefault: ObservableValue<AgentMode>;
  /** False in Restricted Mode, in which there is no mode to choose. */
  readonly isTrusted: boolean;
  /** What the user chose before, in this conversation. */
  readonly chosen?: AgentMode | undefined;
}

export class SessionMode extends DisposableOwner {
  private readonly changeEmitter = this.store.add(new Emitter<AgentMode>());
  private chosen: AgentMode | undefined;

  readonly onDidChange = this.changeEmitter.event;

  constructor(private readonly options: SessionModeOptions) {
    super();
    this.chosen = options.chosen;
    this.store.add(
      options.byDefault.onDidChange(() => {
        if (this.chosen === undefined) {
          this.changeEmitter.fire(this.value);
        }
      }),
    );
  }

  get value(): AgentMode {
    const { byDefault, isTrusted } = this.options;
    return isTrusted ? (this.chosen ?? byDefault.value) : 'ask';
  }

  /** `undefined`: that of conversations in which nobody has chosen. */
  get chosenByUser(): AgentMode | undefined {
    return this.chosen;
  }

  /** @returns whether it is another one now */
  choose(mode: AgentMode): boolean {
    const before = this.value;
    this.chosen = mode;
    if (this.value === before) {
      return false;
    }
    this.changeEmitter.fire(this.value);
    return true;
  }
}

/** Leads to open questions: says that there is one, moves the focus politely, and takes the keys that answer it. */
import * as l10n from '@vscode/l10n';
import type { ApprovalView } from '../../../protocol/tools/approvals.js';
import type { Announcer } from '../../shared/announcer.js';
import { DeliberateKeys, modifierKeys } from '../../shared/deliberate.js';
import type { AgentPage } from '../agentPage.js';
import type { AgentPageState } from '../pageState.js';
import { approvalTitle } from './approvalCards.js';

/** About calls, and of servers. */
const questions = '[data-approval], [data-choice], [data-form]';

export class ApprovalAttention {
  private shown: ReadonlySet<string> = new Set();
  private readonly keys = new DeliberateKeys();

  constructor(
    private readonly root: HTMLElement,
    private readonly page: AgentPage,
    private readonly announcer: Announcer,
  ) {
    // before the input, which sends with the same key
    document.addEventListener('keydown', (event) => this.onKey(event), { capture: true });
    document.addEventListener('visibilitychange', () => this.keys.forget(performance.now()));
  }

  /** The focus goes to a new question unless the user is writing; it comes back when all are answered. */
  attend({ state }: AgentPageState): void {
    const approvals = state?.approvals ?? [];
    const before = this.shown;
    const ids = approvals.map(({ id }) => id);
    this.shown = new Set(ids);
    this.keys.show(ids, performance.now());
    const fresh = approvals.find(({ id }) => !before.has(id));
    const first = approvals[0];
    const isWriting = isWritten(document.activeElement);
    const hasFocus = document.hasFocus();
    if (fresh) {
      this.announce(fresh, !hasFocus || isWriting);
    }
    const isAnswered = [...before].some((id) => !this.shown.has(id));
    if (hasFocus && first && (fresh || isAnswered) && !isWriting) {
      this.card(first.id)?.focus();
    } else if (hasFocus && !first && isAnswered && !isWriting) {
      this.focusInput();
    }
  }

  private announce(approval: ApprovalView, isElsewhere: boolean): void {
    const question = l10n.t('Needs your OK: {0}', approvalTitle(approval));
    const way = l10n.t('Ctrl+Shift+A goes there.');
    this.announcer.say(isElsewhere ? `${question} ${way}` : question);
  }

  private onKey(event: KeyboardEvent): void {
    if (event.isComposing || modifierKeys.includes(event.key)) {
      return;
    }
    const now = performance.now();
    const isPlain = !event.altKey && (event.ctrlKey || event.metaKey);
    if (isPlain && !event.shiftKey && event.key === 'Enter' && this.allow(event, now)) {
      stop(event);
    } else if (isPlain && event.shiftKey && event.key.toLowerCase() === 'a' && this.goOn()) {
      stop(event);
    } else if (event.key === 'Escape' && event.target instanceof HTMLTextAreaElement) {
      this.leaveArguments(event, event.target);
    }
    this.keys.press(now);
  }

  /** @returns whether the key is for a question, be it answered now or not */
  private allow(event: KeyboardEvent, now: number): boolean {
    const { state, draft } = this.page.state;
    const approvals = state?.approvals ?? [];
    const focused = event.target instanceof Element ? event.target : null;
    const here = focused?.closest<HTMLElement>('[data-approval]')?.dataset.approval;
    const [only] = approvals;
    const isAtInput = isInput(focused) && draft.trim() === '' && only !== undefined;
    const isAtButton = focused?.closest('button, vscode-button, a, select');
    if (isAtButton || (here === undefined && !isAtInput)) {
      return false;
    }
    if (here === undefined && approvals.length > 1) {
      // which one is meant is for the user to say
      this.goOn();
      return true;
    }
    const asked = approvals.find(({ id }) => id === (here ?? only?.id));
    // a plan starts by its own buttons alone
    if (!asked || asked.plan || event.repeat) {
      return true;
    }
    const isTypedThere = here !== undefined && focused instanceof HTMLTextAreaElement;
    if (this.keys.mayAllow(asked.id, now, isTypedThere)) {
      void this.page.decide(asked.id, 'once');
    } else {
      this.announcer.say(l10n.t('Ctrl+Enter allows: {0}', approvalTitle(asked)));
    }
    return true;
  }

  /** From anywhere to the first question, from there to the next, and back to the input. */
  private goOn(): boolean {
    const all = [...this.root.querySelectorAll<HTMLElement>(questions)];
    if (all.length === 0) {
      return false;
    }
    const here = document.activeElement?.closest<HTMLElement>(questions);
    const next = all[here ? all.indexOf(here) + 1 : 0];
    if (next) {
      next.focus();
    } else {
      this.focusInput();
    }
    return true;
  }

  /** What was changed of them stays. */
  private leaveArguments(event: KeyboardEvent, editor: HTMLTextAreaElement): void {
    const card = editor.closest<HTMLElement>('[data-approval]');
    if (card) {
      stop(event);
      card.focus();
    }
  }

  private card(id: string): HTMLElement | null {
    return this.root.querySelector<HTMLElement>(`[data-approval="${CSS.escape(id)}"]`);
  }

  private focusInput(): void {
    this.root.querySelector<HTMLElement>('#composer-text')?.focus();
  }
}

/** To the first question. */
export function goToQuestion(): void {
  document.querySelector<HTMLElement>(questions)?.focus();
}

/** Ends the run, where nothing that is open above it takes the key. */
export function stopOnKey(event: KeyboardEvent, page: AgentPage, announcer: Announcer): void {
  const { key, defaultPrevented, isComposing, repeat } = event;
  const isRunning = page.state.state?.status === 'running';
  if (key === 'Escape' && isRunning && !defaultPrevented && !isComposing && !repeat) {
    stop(event);
    announcer.say(l10n.t('Stopping…'));
    void page.run((send) => send('stop', undefined));
  }
}

/** Text that the user is at work on. */
function isWritten(element: Element | null): boolean {
  return (
    (element instanceof HTMLTextAreaElement || element instanceof HTMLInputElement) &&
    element.value !== ''
  );
}

function isInput(element: Element | null): boolean {
  return element?.id === 'composer-text';
}

function stop(event: Event): void {
  event.preventDefault();
  event.stopPropagation();
}

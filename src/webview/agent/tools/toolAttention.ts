import type { RuleChangeView } from '../../../protocol/tools/approvalRules.js';
import type { Announcer } from '../../shared/announcer.js';
import type { AgentPageState } from '../pageState.js';
import { changeText } from '../rules/ruleWords.js';
import { toolCountText } from './toolPickerView.js';
import { countTools } from './toolRows.js';

/** Moves the focus into the list of tools and back, and says what a switch or a change of rules comes to. */
export class ToolAttention {
  private isOpen = false;
  private hasView = false;
  private said = '';
  private changed: RuleChangeView | undefined;

  constructor(
    private readonly root: Element,
    private readonly announcer: Announcer,
  ) {}

  attend({ tools, rules }: AgentPageState): void {
    const wasOpen = this.isOpen;
    const hadView = this.hasView;
    this.isOpen = tools !== undefined;
    this.hasView = tools?.view !== undefined;
    if (this.hasView && !hadView) {
      this.focus('#tools-search');
    } else if (wasOpen && !this.isOpen) {
      this.focus('.tool-count');
    }
    const counts = tools?.view && toolCountText(countTools(tools.view));
    if (counts !== undefined && hadView && counts !== this.said) {
      this.announcer.say(counts);
    }
    this.said = counts ?? '';
    if (rules?.change && rules.change !== this.changed) {
      this.announcer.say(changeText(rules.change));
    }
    this.changed = rules?.change;
  }

  private focus(selector: string): void {
    this.root.querySelector<HTMLElement>(selector)?.focus();
  }
}

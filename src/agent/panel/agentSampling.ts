import * as l10n from '@vscode/l10n';
import { HumanError } from '../../base/errors.js';
import type {
  SamplingAnswer,
  SamplingRequest,
} from '../../mcp/connection/session/clientFeatures.js';
import { modelView } from '../models/models.js';
import { sampleWith } from '../models/sampling.js';
import type { AgentPanel } from './agentPanel.js';

/** The panel's model for the requests of servers. Loads Pi when it is first needed. */
export class AgentSampling {
  constructor(private readonly panel: () => Pick<AgentPanel, 'currentModel'>) {}

  /** @throws {HumanError} without a model. */
  async name(): Promise<string> {
    return modelView((await this.current()).model).label;
  }

  /** @throws {HumanError} or the signal's reason. */
  async answer(request: SamplingRequest, signal: AbortSignal): Promise<SamplingAnswer> {
    const { runtime, model } = await this.current();
    signal.throwIfAborted();
    return sampleWith(runtime, model, request, signal);
  }

  private async current() {
    const current = await this.panel().currentModel();
    if (!current) {
      throw new HumanError('no_model', l10n.t('Pi has no model that it can use.'), {
        remedy: l10n.t('Choose a model in the Pi Agent panel.'),
      });
    }
    return current;
  }
}

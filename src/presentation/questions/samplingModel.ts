import type {
  SamplingAnswer,
  SamplingRequest,
} from '../../mcp/connection/session/clientFeatures.js';

/** The model that answers for the user. */
export interface SamplingModel {
  /** Whether there may be a model; cheap, and right only about there being none. */
  isSetUp(): boolean;
  /** For display. @throws {HumanError} without a model. */
  name(): Promise<string>;
  /** @throws {HumanError} or the signal's reason. */
  answer(request: SamplingRequest, signal: AbortSignal): Promise<SamplingAnswer>;
}

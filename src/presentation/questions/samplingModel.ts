import type {
  SamplingAnswer,
  SamplingRequest,
} from '../../mcp/connection/session/clientFeatures.js';

/** The model that answers for the user. */
export interface SamplingModel {
  /** Cheap. False: there is certainly no model; true: there may be one. */
  isSetUp(): Promise<boolean>;
  /** For display. @throws {HumanError} without a model. */
  name(): Promise<string>;
  /** @throws {HumanError} or the signal's reason. */
  answer(request: SamplingRequest, signal: AbortSignal): Promise<SamplingAnswer>;
}

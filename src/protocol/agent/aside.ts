/** A question beside the conversation, which neither its file nor the model ever gets to see. */

export interface AsideView {
  readonly question: string;
  /** Markdown; absent while the model is asked. */
  readonly answer?: string;
  /** Why there is no answer, as sentences. */
  readonly failure?: string;
}

export interface AsideRequests {
  /** Also ends what is still being asked. */
  dismissAside: { params: undefined; result: undefined };
}

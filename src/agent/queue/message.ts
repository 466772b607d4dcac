/** What is sent to the model: text and images, composed of what the user wrote and attached. */
export interface PromptImage {
  readonly type: 'image';
  /** Base64. */
  readonly data: string;
  readonly mimeType: string;
}

export interface ComposedPrompt {
  readonly text: string;
  readonly images: readonly PromptImage[];
}

/** The language models that VS Code lends to extensions, such as those of GitHub Copilot. */
import * as vscode from 'vscode';
import {
  type EditorAnswerPart,
  type EditorMessage,
  type EditorModel,
  EditorModelError,
  type EditorModels,
  type EditorPart,
  type EditorRequest,
  editorModelErrors,
} from '../../agent/models/editor/port.js';
import { DisposableOwner } from '../../base/disposable.js';
import { Emitter } from '../../base/event.js';
import { asList, asObject, asTexts, isJsonObject } from '../../base/json.js';
import { nameToken } from '../../base/text/nameToken.js';
import { showHidden } from '../../base/text/showHidden.js';
import { storageKeys } from '../../contributions.js';
import { confirm } from '../notifications.js';
import { cancelOnAbort } from '../workspace/cancelling.js';

export class LanguageModels extends DisposableOwner implements EditorModels {
  private readonly changeEmitter = this.store.add(new Emitter<void>());
  private readonly asked = new Map</* vendor */ string, Promise<boolean>>();
  readonly onDidChange = this.changeEmitter.event;

  constructor(
    private readonly context: Pick<
      vscode.ExtensionContext,
      'globalState' | 'languageModelAccessInformation'
    >,
  ) {
    super();
    const fire = () => this.changeEmitter.fire();
    this.store.add(vscode.lm.onDidChangeChatModels(fire));
    this.store.add(context.languageModelAccessInformation.onDidChange(fire));
  }

  async list(): Promise<readonly EditorModel[]> {
    const found = await vscode.lm.selectChatModels();
    return found.map((chat) => this.modelOf(chat));
  }

  isAgreed(vendor: string): boolean {
    return this.vendors.includes(vendor);
  }

  async agree(model: EditorModel): Promise<boolean> {
    const { vendor } = model;
    if (this.isAgreed(vendor)) {
      return true;
    }
    const asked = this.asked.get(vendor) ?? this.ask(model);
    this.asked.set(vendor, asked);
    return await asked.finally(() => this.asked.delete(vendor));
  }

  async withdraw(vendor: string): Promise<void> {
    await this.remember(this.vendors.filter((one) => one !== vendor));
  }

  private async ask({ vendor, vendorName, isAllowed }: EditorModel): Promise<boolean> {
    const isAgreed = await confirm(
      vscode.l10n.t('Use the models of this provider? {0}', nameToken(vendorName)),
      {
        detail: [
          vscode.l10n.t(
            'Pi sends several requests to answer one message. Each of them may be billed, or count towards a limit of your plan; VS Code does not say how much.',
          ),
          vscode.l10n.t(
            'What you write, and what Pi reads of your files, goes to: {0}',
            nameToken(vendorName),
          ),
          ...(isAllowed === undefined
            ? [vscode.l10n.t('VS Code may ask as well, with the first request.')]
            : []),
        ].join('\n\n'),
        action: vscode.l10n.t('Use These Models'),
      },
    );
    if (isAgreed) {
      await this.remember([...this.vendors, vendor]);
    }
    return isAgreed;
  }

  private get vendors(): readonly string[] {
    return asTexts(this.context.globalState.get(storageKeys.modelVendors));
  }

  private async remember(vendors: readonly string[]): Promise<void> {
    await this.context.globalState.update(storageKeys.modelVendors, vendors);
    this.changeEmitter.fire();
  }

  private modelOf(chat: vscode.LanguageModelChat): EditorModel {
    const { supportsImageToText, supportsToolCalling } = capabilitiesOf(chat);
    const { vendor, id, maxInputTokens } = chat;
    return {
      vendor,
      vendorName: vendorName(vendor),
      id,
      name: showHidden(chat.name),
      maxInputTokens,
      takesImages: supportsImageToText,
      callsTools: supportsToolCalling,
      isAllowed: this.context.languageModelAccessInformation.canSendRequest(chat),
      send: (request, signal) => send(chat, request, signal),
    };
  }
}

/** VS Code has them since 1.106; its types do not. */
function capabilitiesOf(chat: vscode.LanguageModelChat) {
  const found: unknown = Reflect.get(chat, 'capabilities');
  const { supportsImageToText, supportsToolCalling } = asObject(found);
  return {
    supportsImageToText: typeof supportsImageToText === 'boolean' ? supportsImageToText : undefined,
    supportsToolCalling: typeof supportsToolCalling === 'boolean' ? supportsToolCalling : undefined,
  };
}

/** As the extension that brings the models calls it. */
function vendorName(vendor: string): string {
  const named = vscode.extensions.all.flatMap(({ packageJSON }) => {
    const contributes: unknown = packageJSON?.contributes;
    return asList(asObject(contributes).languageModelChatProviders).filter(isJsonObject);
  });
  const name = named.find((one) => one.vendor === vendor)?.displayName;
  return showHidden(typeof name === 'string' && name.trim() !== '' ? name : vendor);
}

async function* send(
  chat: vscode.LanguageModelChat,
  { messages, tools }: EditorRequest,
  signal: AbortSignal | undefined,
): AsyncGenerator<EditorAnswerPart> {
  const cancellation = cancelOnAbort(signal);
  try {
    const response = await chat.sendRequest(
      messages.map(toMessage),
      {
        justification: vscode.l10n.t('Pi answers what you wrote in the Pi Agent view.'),
        tools: tools.length > 0 ? tools.map((tool) => ({ ...tool })) : undefined,
      },
      cancellation.token,
    );
    for await (const part of response.stream) {
      if (part instanceof vscode.LanguageModelTextPart) {
        yield { kind: 'text', text: part.value };
      } else if (part instanceof vscode.LanguageModelToolCallPart) {
        const { callId: id, name, input } = part;
        yield { kind: 'call', id, name, input: asObject(input) };
      }
    }
  } catch (error) {
    throw signal?.aborted ? signal.reason : translated(error);
  } finally {
    cancellation.dispose();
  }
}

/** What VS Code does not know a code for has the vendor's words in its cause. */
function translated(error: unknown): unknown {
  if (!(error instanceof vscode.LanguageModelError)) {
    return error;
  }
  const code = editorModelErrors.find((one) => one === error.code);
  if (code) {
    return new EditorModelError(code, error.message);
  }
  return error.cause instanceof Error ? error.cause : error;
}

function toMessage({ role, parts }: EditorMessage): vscode.LanguageModelChatMessage {
  return new vscode.LanguageModelChatMessage(
    role === 'user'
      ? vscode.LanguageModelChatMessageRole.User
      : vscode.LanguageModelChatMessageRole.Assistant,
    parts.map(toPart),
  );
}

function toPart(part: EditorPart): vscode.LanguageModelInputPart {
  switch (part.kind) {
    case 'text':
      return new vscode.LanguageModelTextPart(part.text);
    case 'image':
      return vscode.LanguageModelDataPart.image(Buffer.from(part.data, 'base64'), part.mimeType);
    case 'call':
      return new vscode.LanguageModelToolCallPart(part.id, part.name, part.input);
    case 'result':
      return new vscode.LanguageModelToolResultPart(part.callId, part.parts.map(toPart));
  }
}

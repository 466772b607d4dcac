/** What the page of a panel asks for. */
import * as vscode from 'vscode';
import type { AgentPanel } from '../../agent/panel/agentPanel.js';
import { editedKey } from '../../agent/panel/attachments/editedAttachments.js';
import { changeAttached } from '../../agent/session/composePrompt.js';
import { type WholeToolResult, wholeResultOf } from '../../agent/tools/resultStore.js';
import { HumanError } from '../../base/errors.js';
import { type CommandId, commandIds, viewIds } from '../../contributions.js';
import type { QuestionCall } from '../../mcp/service/questions/openQuestions.js';
import { toolRequests } from '../../presentation/agentToolRequests.js';
import {
  draftParam,
  indicesParam,
  oneOfParam,
  optionalBooleanParam,
  optionalIndexParam,
  optionalStringParam,
  stringParam,
} from '../../presentation/params.js';
import { type CardAnswers, cardHandlers } from '../../presentation/questions/cardHandlers.js';
import { type PanelAction, panelActions } from '../../protocol/agentProtocol.js';
import { queueCalls, type SendKind, sendKinds } from '../../protocol/sending.js';
import { type ModelWayKind, modelWayKinds } from '../../protocol/start/modelWays.js';
import { type ServerStepKind, serverStepKinds } from '../../protocol/start/startView.js';
import { approvalDecisions } from '../../protocol/tools/approvals.js';
import { agentModes } from '../../protocol/tools/modes.js';
import type { CodeTarget } from '../documents/codeTarget.js';
import { PlanDocuments } from '../documents/planDocuments.js';
import { openPage } from '../openPage.js';
import { saveProfile } from '../prompts/picks/profilePicker.js';
import { mainLog } from '../workspace/logChannels.js';
import type { CallHandlers, PanelMembers } from './agentPlace.js';
import { messageHandlers, promptText } from './messageHandlers.js';
import type { HoldFocus } from './pageFocus.js';
import type { PageKit } from './webviewHtml.js';

const chooseCommands = {
  model: commandIds.chooseModel,
  thinking: commandIds.chooseThinking,
} as const;
/** Characters. */
const maxWords = 2_000;
const maxStackLength = 4_000;

/** What a page can reach beside its panel. */
export interface PageServices extends CardAnswers, Pick<PageKit, 'logError'> {
  /** Does nothing for a question that is not open any more. */
  readonly callQuestion: (id: string, call: QuestionCall) => void;
  /** Opens the file in which the user's Pi looks for models. */
  readonly openModels: () => Promise<void>;
  /** Shows a result, or one of its files, in an editor. */
  readonly openResult: (result: WholeToolResult, file: number | undefined) => Promise<void>;
  /** Shows the app of a call. @throws {HumanError} when it cannot be shown. */
  readonly openApp: (model: AgentPanel, callId: string) => Promise<void>;
}

export interface PageHandlerParts extends PageServices {
  readonly panel: PanelMembers;
  readonly code: CodeTarget;
  readonly holdFocus: HoldFocus;
  /** Of a conversation that is elsewhere: shows it there, or brings it here. */
  readonly place: (action: 'show' | 'bringBack') => Promise<void>;
  /** Shows a conversation that waits, where it is. */
  readonly showConversation: (id: string) => Promise<void>;
}

export class AgentPageHandlers {
  private readonly plans: PlanDocuments;

  constructor(private readonly parts: PageHandlerParts) {
    this.plans = new PlanDocuments(() => parts.panel.model.snapshot().state.approvals);
  }

  get handlers(): CallHandlers {
    const { model } = this.parts.panel;
    return {
      prompt: async (params) => ({
        isSent: await this.prompt(promptText(params), optionalKind(params)),
      }),
      ...this.queueHandlers(),
      runCommand: (params) =>
        this.parts.panel.commands.run(promptText(params), this.parts.panel.inputs.promptCommands),
      ...this.parts.panel.attaching.handlers,
      callQuestion: (params) =>
        this.parts.callQuestion(
          stringParam(params, 'id'),
          oneOfParam(params, 'call', ['show', 'leave']),
        ),
      ...cardHandlers(this.parts),
      stop: () => model.stop(),
      dismissAside: () => model.shown?.side.aside.dismiss(),
      save: () => model.shown?.conversation?.save(),
      showEarlier: (params) => {
        const entryId = params && optionalStringParam(params, 'entryId');
        return entryId === undefined ? model.feed.showEarlier() : model.feed.showEntry(entryId);
      },
      showLatest: () => model.feed.showLatest(),
      decide: (params) => {
        const id = stringParam(params, 'approvalId');
        const decision = oneOfParam(params, 'decision', approvalDecisions);
        const ofPlan = decision === 'deny' ? undefined : this.plans.changedArguments(id);
        model.decide(
          id,
          decision,
          ofPlan ?? optionalStringParam(params, 'args'),
          optionalBooleanParam(params, 'isWide'),
          optionalStringParam(params, 'words')?.slice(0, maxWords),
        );
      },
      openPlan: (params) => this.plans.open(stringParam(params, 'approvalId')),
      choose: async (params) => {
        const what = oneOfParam(params, 'what', ['model', 'thinking']);
        const goBack = this.parts.holdFocus();
        await vscode.commands.executeCommand(chooseCommands[what]);
        await goBack();
      },
      setMode: (params) => model.setMode(oneOfParam(params, 'mode', agentModes)),
      selectFolder: (params) => model.selectFolder(stringParam(params, 'uri')),
      showConversation: (params) => this.parts.showConversation(stringParam(params, 'id')),
      openConversation: (params) => model.library.open(stringParam(params, 'id')),
      takeServerStep: (params) =>
        this.takeServerStep(
          oneOfParam(params, 'kind', serverStepKinds),
          optionalStringParam(params, 'server'),
        ),
      takeModelWay: (params) =>
        takeModelWay(
          oneOfParam(params, 'kind', modelWayKinds),
          optionalStringParam(params, 'provider'),
        ),
      runAction: (params) => this.runAction(oneOfParam(params, 'action', panelActions)),
      review: () => this.takeServerStep('review', undefined),
      cancelCall: (params) => model.cancelCall(stringParam(params, 'entryId')),
      detachTask: (params) => model.shown?.tasks.detach(stringParam(params, 'callId')),
      cancelTask: (params) => model.shown?.tasks.cancel(stringParam(params, 'callId')),
      openResult: async (params) => {
        const callId = stringParam(params, 'callId');
        const result = await wholeResultOf(model.shown?.results, callId);
        await this.parts.openResult(result, optionalIndexParam(params, 'file'));
      },
      earlierRequests: async () => ({ texts: await model.library.earlierRequests() }),
      keepDraft: (params) =>
        model.keepDraft(stringParam(params, 'conversation'), draftParam(params, 'draft')),
      ...this.parts.panel.review.handlers,
      ...messageHandlers(model, this.parts.panel.inputs, this.parts.code),
      ...toolRequests(model, saveProfile),
      openApp: (params) => this.parts.openApp(model, stringParam(params, 'callId')),
      pageFailed: (params) => {
        const stack = stringParam(params, 'stack').slice(0, maxStackLength);
        // places in our code alone: the rest may quote the conversation
        const places = [...stack.matchAll(/\bagent\.js:\d+:\d+/g)].map(([place]) => place);
        this.parts.logError(`agent view, cannot be drawn: ${places.join(' ')}`);
      },
      openLink: (params) => openLink(stringParam(params, 'href')),
      place: (params) => this.parts.place(oneOfParam(params, 'action', ['show', 'bringBack'])),
    };
  }

  private queueHandlers() {
    const { model, inputs } = this.parts.panel;
    return {
      callQueued: async (params: unknown) => {
        const id = stringParam(params, 'id');
        const call = oneOfParam(params, 'call', queueCalls);
        switch (call) {
          case 'remove':
            model.queue?.remove(id);
            break;
          case 'up':
            model.queue?.move(id, -1);
            break;
          case 'down':
            model.queue?.move(id, 1);
            break;
          case 'send':
            await model.queue?.sendNow(id);
            break;
          case 'next':
          case 'after':
            model.queue?.turn(id, call);
            break;
        }
      },
      editQueued: (params: unknown) => ({
        text: model.queue?.hold(stringParam(params, 'id')) ?? '',
      }),
      endEditQueued: async (params: unknown) => {
        const id = stringParam(params, 'id');
        const text = optionalStringParam(params, 'text');
        const body = text === undefined ? undefined : await inputs.composeWords(promptText(params));
        const key = editedKey('queue', id);
        const { queue } = model;
        if (text === undefined || !body || !queue) {
          queue?.release();
        } else {
          const change = await inputs.composeChange(key, indicesParam(params, 'removed'));
          queue.edit(id, text, body, changeAttached(queue.attachedOf(id), change));
        }
        inputs.endChange(key);
      },
      resumeQueue: () => model.queue?.resume(),
    };
  }

  /** @returns false when the user left a question about the message. */
  private async prompt(text: string, kind: SendKind | undefined): Promise<boolean> {
    const { model, inputs, attachments } = this.parts.panel;
    // another one may be shown by the time that the message is composed
    const { conversation } = model.snapshot();
    const sent = attachments.list;
    const message = await inputs.compose(text);
    if (!message) {
      return false;
    }
    await model.prompt(message, kind, conversation || undefined);
    attachments.clear(sent);
    return true;
  }

  private async takeServerStep(kind: ServerStepKind, server: string | undefined): Promise<void> {
    switch (kind) {
      case 'review':
        await vscode.commands.executeCommand(
          commandIds.reviewServers,
          this.parts.panel.model.snapshot().state.folder?.uri,
        );
        break;
      case 'signIn':
        await vscode.commands.executeCommand(commandIds.signIn, server);
        break;
      case 'show':
        await vscode.commands.executeCommand(`${viewIds.servers}.focus`);
        break;
    }
  }

  private async runAction(action: PanelAction): Promise<void> {
    const { openModels, panel } = this.parts;
    switch (action) {
      case 'openModels':
        return await openModels();
      case 'reload':
        return await panel.model.reloadModels();
      case 'newConversation':
        return await panel.model.newSession();
      case 'showLog':
        return await vscode.commands.executeCommand(commandIds.showLog, mainLog);
      default:
        return await vscode.commands.executeCommand(commandIds[action]);
    }
  }
}

/** Secrets are asked for in boxes of the editor, never in a page. */
const modelWays: Readonly<Record<ModelWayKind, readonly [CommandId, login?: string]>> = {
  editor: [commandIds.chooseModel],
  account: [commandIds.logIn, 'oauth'],
  apiKey: [commandIds.logIn, 'api_key'],
  local: [commandIds.findLocalModels],
  server: [commandIds.addModelServer],
};

async function takeModelWay(way: ModelWayKind, provider: string | undefined): Promise<void> {
  const [command, kind] = modelWays[way];
  await vscode.commands.executeCommand(command, ...(kind ? [{ kind, provider }] : []));
}

function optionalKind(params: unknown): SendKind | undefined {
  return optionalStringParam(params, 'kind') === undefined
    ? undefined
    : oneOfParam(params, 'kind', sendKinds);
}

/** @throws {HumanError} for anything but web and mail addresses. */
async function openLink(href: string): Promise<void> {
  const scheme = URL.canParse(href) ? new URL(href).protocol : '';
  if (!['http:', 'https:', 'mailto:'].includes(scheme)) {
    throw new HumanError('link_refused', vscode.l10n.t('Only web and mail links are opened.'));
  }
  await openPage(href);
}

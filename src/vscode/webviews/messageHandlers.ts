/** What the agent's page asks for messages that were sent, and for the context that they fill. */
import * as vscode from 'vscode';
import type { AgentPanel } from '../../agent/panel/agentPanel.js';
import { editedKey } from '../../agent/panel/attachments/editedAttachments.js';
import type { PanelInputs } from '../../agent/panel/inputs.js';
import { HumanError } from '../../base/errors.js';
import { contextKeys } from '../../contributions.js';
import {
  booleanParam,
  indicesParam,
  oneOfParam,
  optionalBooleanParam,
  optionalIndexParam,
  optionalStringParam,
  stringParam,
  stringsParam,
} from '../../presentation/params.js';
import { type BranchRequests, branchSteps } from '../../protocol/branches.js';
import { type CodeRequests, codeUses } from '../../protocol/codeBlocks.js';
import type { ContextRequests } from '../../protocol/context.js';
import type { FindRequests } from '../../protocol/conversationFind.js';
import type { MessageHandlers } from '../../protocol/messages.js';
import { type CodeTarget, openAsDocument } from '../documents/codeTarget.js';
import { openFolderFile } from '../documents/folderFile.js';

/** Characters. */
const maxPromptLength = 1_000_000;
const maxQueryLength = 1_000;
const maxPathLength = 1_000;
const maxFocusLength = 4_000;

export function messageHandlers(
  model: Pick<AgentPanel, 'messages' | 'library' | 'find' | 'context' | 'shown' | 'snapshot'>,
  inputs: Pick<PanelInputs, 'composeWords' | 'composeChange' | 'endChange'>,
  code: CodeTarget,
): MessageHandlers<BranchRequests & ContextRequests & FindRequests & CodeRequests> {
  const { messages, library, context } = model;
  return {
    showBranch: async (params) => {
      const step = oneOfParam(params, 'step', branchSteps);
      return { id: await messages.showBranch(stringParam(params, 'id'), step) };
    },
    editMessage: (params) => {
      const id = stringParam(params, 'id');
      inputs.endChange(editedKey('message', id));
      return { text: messages.wordsOf(id) };
    },
    resend: async (params) => {
      const id = stringParam(params, 'id');
      const words =
        optionalStringParam(params, 'text') === undefined ? undefined : promptText(params);
      const body = words === undefined ? undefined : await inputs.composeWords(words);
      if (words !== undefined && !body) {
        return { isSent: false };
      }
      const key = editedKey('message', id);
      const attached = body && (await inputs.composeChange(key, indicesParam(params, 'removed')));
      const change = words !== undefined && body ? { words, body, attached } : undefined;
      if (optionalBooleanParam(params, 'isStopping')) {
        await messages.stopAndResend(id, change);
      } else {
        await messages.resend(id, change);
      }
      inputs.endChange(key);
      return { isSent: true };
    },
    readContext: async () => (await context.read()) ?? null,
    compact: (params) => {
      const focus = optionalStringParam(params, 'focus')?.trim().slice(0, maxFocusLength);
      context.compact(focus || undefined);
    },
    cancelCompaction: () => model.shown?.controls.cancelCompaction(),
    retryNow: () => model.shown?.retries.sendNow(),
    sendAgain: () => model.shown?.retries.sendAgain(),
    setAutoCompaction: (params) => context.setAutomatic(booleanParam(params, 'isOn')),
    setCompactionLimits: (params) => {
      const above = optionalIndexParam(params, 'above');
      const keeps = optionalIndexParam(params, 'keeps');
      return context.setLimits(
        above === undefined || keeps === undefined ? undefined : { above, keeps },
      );
    },
    giveBackResults: (params) => context.giveBackResults(stringsParam(params, 'ids')),
    undoCompaction: (params) => context.undoCompaction(stringParam(params, 'id')),
    forkFrom: (params) => library.forkFrom(stringParam(params, 'id')),
    find: (params) => model.find(stringParam(params, 'text').slice(0, maxQueryLength)),
    pageFocus: (params) => setAgentFocused(booleanParam(params, 'isFocused')),
    openFile: (params) =>
      openFolderFile(
        model.snapshot().state.folder?.uri,
        stringParam(params, 'path').slice(0, maxPathLength),
        optionalIndexParam(params, 'line'),
      ),
    useCode: async (params) => {
      const text = promptText(params);
      await (oneOfParam(params, 'use', codeUses) === 'insert'
        ? code.insert(text)
        : openAsDocument(text, stringParam(params, 'language')));
    },
  };
}

export function setAgentFocused(isFocused: boolean): void {
  void vscode.commands.executeCommand('setContext', contextKeys.isAgentFocused, isFocused);
}

/** What the user wrote. @throws {HumanError} when it is too long */
export function promptText(params: unknown): string {
  const text = stringParam(params, 'text');
  if (text.length > maxPromptLength) {
    throw new HumanError('prompt_too_long', vscode.l10n.t('The text is too long to be sent.'), {
      remedy: vscode.l10n.t('Put it into a file and name the file.'),
    });
  }
  return text;
}

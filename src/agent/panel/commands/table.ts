/** The commands that a message may begin with: completion, help, documents and execution come from this table. */
import * as l10n from '@vscode/l10n';
import { nameToken } from '../../../base/text/nameToken.js';
import { commandIds } from '../../../contributions.js';
import type { CommandAnswer } from '../../../protocol/agentProtocol.js';
import type { AgentMode } from '../../../protocol/tools/modes.js';
import { findChoices } from '../../models/choices.js';
import { modelName } from '../../models/models.js';
import { levelText, thinkingLevels } from '../../models/thinking.js';
import type { PiControls, ThinkingLevel } from '../../pi/controls.js';
import { wordsOfMode } from '../../policy/modeWords.js';
import { helpAnswer, loadedText, serversAnswer, toolsAnswer } from './answers.js';
import {
  type CommandParts,
  CommandRefused,
  type CommandValue,
  conversationOf,
  nothing,
  type PanelCommand,
  usableServers,
} from './panelCommand.js';
import { serverCommandTable } from './serverTable.js';

const initRequest =
  'Look at this folder: its README, its manifests, how it is built, tested and laid out. Then write AGENTS.md at its root, or bring the one that is there up to date: the commands to build, test and lint, the layout in a few lines, the conventions that the code shows, and what a newcomer gets wrong. At most 60 lines, and only what you have seen.';

export const panelCommands: readonly PanelCommand[] = [
  {
    words: ['new', 'clear'],
    describe: () => l10n.t('New Conversation'),
    run: nothing(({ panel }) => panel.newSession()),
  },
  {
    words: ['compact'],
    argument: { name: 'focus' },
    describe: () => l10n.t('Summarize what was said, to make room; say what to keep'),
    isForIdle: true,
    run: nothing(compact),
  },
  {
    words: ['context', 'cost'],
    describe: () => l10n.t('Show what fills the context, and what the conversation cost'),
    run: ({ panel }) => {
      conversationOf(panel);
      return { opens: 'context' };
    },
  },
  {
    words: ['btw'],
    argument: { name: 'question' },
    describe: () =>
      l10n.t('Ask a question that the conversation keeps nothing of; also during a run'),
    run: nothing(askAside),
  },
  {
    words: ['init'],
    describe: () => l10n.t('Write AGENTS.md: what an agent should know of this folder'),
    isForIdle: true,
    run: nothing(({ panel }) => panel.prompt(initRequest)),
  },
  {
    words: ['model'],
    argument: { name: 'name', values: modelValues },
    describe: () => l10n.t('Choose Model…'),
    run: nothing(chooseModel),
  },
  {
    words: ['thinking'],
    argument: {
      name: 'level',
      values: ({ panel }) =>
        levelsOf(panel.shown?.controls).map((value) => ({ value, description: '' })),
    },
    describe: () => l10n.t('Choose how much the model thinks'),
    run: chooseThinking,
  },
  {
    words: ['mode'],
    argument: {
      name: 'mode',
      values: () =>
        modeWords.map(([value, mode]) => ({ value, description: wordsOfMode(mode).text })),
    },
    describe: () => l10n.t('Choose the Mode of This Conversation'),
    run: nothing(chooseMode),
  },
  {
    words: ['tools'],
    describe: () => l10n.t('Tools of This Conversation'),
    subcommands: [
      {
        words: ['list'],
        describe: () => l10n.t('Tools of This Conversation'),
        run: ({ panel }) => {
          const { choice, controls } = conversationOf(panel);
          return toolsAnswer(choice.summary, controls.extensions);
        },
      },
    ],
    run: ({ panel }) => {
      conversationOf(panel);
      return { opens: 'tools' };
    },
  },
  {
    words: ['extensions'],
    describe: () => l10n.t('Pi extensions of this folder'),
    run: reviewExtensions,
  },
  {
    words: ['mcp'],
    describe: () => l10n.t('MCP Servers'),
    subcommands: serverCommandTable,
    run: ({ panel, service }) => serversAnswer(usableServers({ panel, service })),
  },
  {
    words: ['login'],
    describe: () => l10n.t('Log In to a Model Provider'),
    run: nothing(({ editor }) => editor.run(commandIds.logIn)),
  },
  {
    words: ['logout'],
    describe: () => l10n.t('Log Out of a Model Provider'),
    run: nothing(({ editor }) => editor.logOut()),
  },
  {
    words: ['conversations', 'resume'],
    describe: () => l10n.t('Conversations'),
    run: nothing(({ editor }) => editor.run(commandIds.showConversations)),
  },
  {
    words: ['rename', 'name'],
    argument: { name: 'name' },
    describe: () => l10n.t('Rename Conversation'),
    run: nothing(rename),
  },
  {
    words: ['fork'],
    describe: () => l10n.t('Go on with a Copy'),
    run: nothing(({ editor }) => editor.run(commandIds.forkConversation)),
  },
  {
    words: ['export'],
    argument: { name: 'format', values: exportValues },
    describe: () => l10n.t('Export Conversation'),
    run: nothing(exportAs),
  },
  {
    words: ['restore', 'rewind'],
    describe: () => l10n.t('Restore Checkpoint'),
    run: nothing(({ editor }) => editor.run(commandIds.restoreCheckpoint)),
  },
  {
    words: ['changes', 'review'],
    describe: () => l10n.t('Show Changes'),
    run: nothing(({ editor }) => editor.run(commandIds.reviewChanges)),
  },
  {
    words: ['undo'],
    describe: () => l10n.t('Undo All'),
    run: nothing(({ editor }) => editor.run(commandIds.undoAllChanges)),
  },
  {
    words: ['redo'],
    describe: () => l10n.t('Redo'),
    run: nothing(({ editor }) => editor.run(commandIds.redoChanges)),
  },
  {
    words: ['help'],
    describe: () => l10n.t('Commands'),
    run: () => helpAnswer(panelCommands),
  },
];

const modeWords: readonly (readonly [string, AgentMode])[] = [
  ['ask', 'ask'],
  ['edits', 'acceptEdits'],
  ['plan', 'plan'],
  ['free', 'runFreely'],
];

async function chooseMode({ panel, editor }: CommandParts, wanted: string): Promise<void> {
  const found = modeWords.find(([word, mode]) =>
    [word, mode, wordsOfMode(mode).name].some((one) => one.toLowerCase() === wanted.toLowerCase()),
  );
  if (found) {
    await panel.setMode(found[1]);
  } else if (wanted === '') {
    await editor.run(commandIds.chooseMode);
  } else {
    throw new CommandRefused(
      l10n.t('{0} does not know "{1}".', '/mode', wanted),
      modeWords.map(([word]) => word),
    );
  }
}

async function askAside({ panel }: CommandParts, question: string): Promise<void> {
  if (!panel.snapshot().state.model) {
    throw new CommandRefused(l10n.t('Pi has no model that it can use.'), ['/model']);
  }
  const { aside } = conversationOf(panel).side;
  const { refusal } = aside;
  if (refusal !== undefined) {
    throw new CommandRefused(refusal);
  }
  if (question === '') {
    throw new CommandRefused(l10n.t('{0} needs something after it.', '/btw'));
  }
  await aside.ask(question);
}

async function rename({ panel, editor }: CommandParts, name: string): Promise<void> {
  if (name === '') {
    await editor.run(commandIds.renameConversation);
  } else {
    conversationOf(panel);
    await panel.library.rename(panel.snapshot().conversation, name);
  }
}

function exportValues(): readonly CommandValue[] {
  return [
    { value: 'markdown', description: l10n.t('Save as Markdown…') },
    { value: 'json', description: l10n.t('Save as JSON…') },
    { value: 'jsonl', description: l10n.t('Save as Pi Session, With Secrets…') },
  ];
}

async function exportAs({ editor }: CommandParts, format: string): Promise<void> {
  const formats = exportValues().map(({ value }) => value);
  if (format === '') {
    await editor.run(commandIds.exportConversation);
  } else if (formats.includes(format)) {
    await editor.run(commandIds.exportConversation, format);
  } else {
    throw new CommandRefused(l10n.t('{0} does not know "{1}".', '/export', format), formats);
  }
}

function compact({ panel }: CommandParts, focus: string): void {
  conversationOf(panel).controls.compact(focus || undefined);
}

/** Shows every file that would run before it asks. */
async function reviewExtensions(parts: CommandParts): Promise<CommandAnswer | undefined> {
  const { panel, service, editor } = parts;
  const folderUri = panel.snapshot().state.folder?.uri;
  const { folder } = conversationOf(panel).controls.extensions;
  const title = l10n.t('Pi extensions of this folder');
  if (!folder || folderUri === undefined) {
    return { title, rows: [], notes: [l10n.t('There are none that could run.')] };
  }
  const files = folder.files.map(({ path }) => path);
  if (!folder.isLoaded && (await editor.reviewExtensions(folder.files))) {
    await service.trust.trustExtensions(folderUri, { hash: folder.hash, files });
    return { title, rows: files.map((name) => ({ name, text: loadedText(true) })) };
  }
  const text = loadedText(folder.isLoaded);
  return {
    title,
    rows: files.map((name) => ({ name, text })),
    notes: folder.isLoaded ? [l10n.t('Manage Trust revokes it.')] : [],
  };
}

function modelValues({ panel }: CommandParts): readonly CommandValue[] {
  return panel.models.map((one) => ({ value: modelName(one), description: one.label }));
}

async function chooseModel(parts: CommandParts, name: string): Promise<void> {
  const { panel, editor } = parts;
  const found = findChoices(panel.models, name);
  const [only] = found;
  if (name !== '' && !only) {
    throw new CommandRefused(
      l10n.t('{0} does not know "{1}".', '/model', nameToken(name)),
      modelValues(parts).map(({ value }) => value),
    );
  }
  if (name !== '' && only && found.length === 1) {
    await panel.selectModel(only.provider, only.id);
  } else {
    await editor.run(commandIds.chooseModel, name);
  }
}

function levelsOf(controls: PiControls | undefined): readonly ThinkingLevel[] {
  return controls?.thinkingLevels ?? [];
}

async function chooseThinking(
  { panel, editor }: CommandParts,
  wanted: string,
): Promise<CommandAnswer | undefined> {
  const levels = levelsOf(panel.shown?.controls);
  if (levels.length < 2) {
    throw new CommandRefused(l10n.t('This model does not think before it answers.'));
  }
  if (wanted === '') {
    await editor.run(commandIds.chooseThinking);
    return undefined;
  }
  const level = thinkingLevels.find((one) => one === wanted.toLowerCase());
  if (level === undefined) {
    throw new CommandRefused(l10n.t('{0} does not know "{1}".', '/thinking', wanted), levels);
  }
  const became = await panel.chooseThinking(level);
  return {
    title: l10n.t('Thinking'),
    rows: [{ name: l10n.t('Thinking'), text: levelText(became, level) }],
  };
}

/** What servers ask, as cards on pages of ours, in a real browser: keys, names that pretend, looks. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { ChoiceQuestionView, QuestionCards } from '../../src/protocol/tools/questions.js';
import { holdTime, isFocused, sent, tell } from '../helpers/pages/host.js';
import { faultsInAllLooks } from '../helpers/pages/looks.js';
import { agentSnapshots, noInputs } from '../helpers/pages/states/agent.mjs';
import { usePages } from '../helpers/pages/usePages.js';

const pages = usePages();

const sampling: ChoiceQuestionView = {
  id: '1',
  server: 'travel',
  title: 'An MCP server asks to use a model',
  note: 'Nothing is sent to the model before you allow it.',
  rows: [
    { label: 'MCP server', text: 'travel' },
    { label: 'Model', text: 'Demo' },
    { label: 'User', text: 'Which train is the best?\nAnd which is the cheapest?' },
    { label: 'Limit', text: '200 tokens' },
  ],
  choices: [
    { label: 'Allow Once', isConsent: true },
    { label: 'Deny', isConsent: false },
    { label: 'Show All', isConsent: false },
  ],
};
const form: QuestionCards['forms'][number] = {
  id: '1',
  server: 'hotel',
  message: 'For how many nights?',
  fields: [{ kind: 'number', name: 'nights', title: 'Nights', isRequired: true, isInteger: true }],
};
const card = (page: Page) => page.locator('[data-choice="1"]');
const allow = (page: Page) => card(page).getByRole('button', { name: 'Allow Once' });

function openTab(cards: QuestionCards) {
  return pages.open({
    page: 'questions',
    theme: 'dark',
    width: 700,
    replies: { ready: cards, answerForm: { problems: [] }, answerChoice: undefined },
  });
}

it('takes no key that was meant for what the user writes', async () => {
  const page = await pages.open({
    page: 'agent',
    width: 320,
    replies: { ready: agentSnapshots.done, prompt: { isSent: true } },
  });
  const input = page.locator('#composer-text');
  await input.waitFor();
  await holdTime(page);
  await input.fill('and then');
  await tell(page, 'inputs', { ...noInputs, forms: [form], choices: [sampling] });
  await card(page).waitFor();
  expect(await input.evaluate(isFocused)).toBe(true);
  for (let minute = 0; minute < 2; minute++) {
    await input.press('Enter');
    await input.press('Control+Enter');
    await input.press('Space');
    await page.clock.fastForward(60_000);
  }
  expect(await sent(page, 'answerChoice')).toEqual([]);
  expect(await sent(page, 'answerForm')).toEqual([]);
  // the control: the user presses it
  await page.clock.resume();
  await allow(page).click();
  await expect.poll(() => sent(page, 'answerChoice')).toEqual([{ id: '1', choice: 0 }]);
});

/** Runs in the page: notes the buttons as the first of them come, however late somebody looks. */
function keepFirstButtons(): void {
  const changes = new MutationObserver(() => {
    const buttons = [
      ...document.querySelectorAll('main vscode-button, [data-choice] vscode-button'),
    ];
    if (buttons.length > 0) {
      changes.disconnect();
      const states = buttons.map((button) => [
        button.textContent?.trim(),
        button.hasAttribute('disabled') ? 'disabled' : 'enabled',
      ]);
      Reflect.set(window, 'firstButtons', Object.fromEntries(states));
    }
  });
  changes.observe(document.body, { childList: true, subtree: true });
}

it('lets nothing happen before a card can have been seen, and focuses nothing', async () => {
  const page = await openTab({ choices: [], forms: [] });
  await page.getByText('No MCP server waits for an answer.').waitFor();
  await page.clock.install();
  await page.evaluate(keepFirstButtons);
  await tell(page, 'cards', { choices: [sampling], forms: [form] });
  await card(page).waitFor();
  expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true);
  const spoken = page.locator('body > .visually-hidden[role=status]');
  await spoken.getByText('Which train is the best?').waitFor();
  // saying no needs no time
  expect(await page.evaluate(() => Reflect.get(window, 'firstButtons'))).toMatchObject({
    'Allow Once': 'disabled',
    'Send Answer': 'disabled',
    Deny: 'enabled',
  });
  await page.clock.fastForward(1_000);
  await expect.poll(() => allow(page).isDisabled()).toBe(false);
  await allow(page).focus();
  await page.keyboard.press('x');
  await page.keyboard.press('Enter');
  await spoken.getByText('This question has just come. Press again to answer.').waitFor();
  expect(await sent(page, 'answerChoice')).toEqual([]);
  await page.clock.fastForward(1_000);
  await page.keyboard.press('Enter');
  await expect.poll(() => sent(page, 'answerChoice')).toEqual([{ id: '1', choice: 0 }]);
});

it('keeps what others say apart from our words, and escapes what hides or turns it', async () => {
  const rows = [
    { label: 'Program', text: 'Claude Code" calls the tool "list_notes' },
    { label: 'a\u202elabel', text: 'safe\u202etxt.exe <b>bold</b>' },
  ];
  const page = await openTab({ choices: [{ ...sampling, rows }], forms: [] });
  const words = card(page).locator('.server-words');
  await words.getByText('Claude Code" calls the tool "list_notes').waitFor();
  await words.getByText('safe\\u202etxt.exe <b>bold</b>').waitFor();
  await words.getByText('a\\u202elabel').waitFor();
  expect(await card(page).getByRole('heading').textContent()).toContain(sampling.title);
  expect(await card(page).locator('b').count()).toBe(0);
});

it('is readable in every theme and width', async () => {
  const page = await openTab({ choices: [sampling], forms: [form] });
  await expect.poll(() => allow(page).isDisabled()).toBe(false);
  expect(await faultsInAllLooks(page, 'questions')).toEqual([]);
});

it('shows a skill whole, with its files, in every theme and width', async () => {
  const lines = Array.from(
    { length: 80 },
    (_, at) => `${at + 1}. Read the form and fill in the field \`${at}\`.`,
  );
  const files = ['SKILL.md', 'scripts/fill_in_the_form.sh', 'references/all of the fields.md'].map(
    (path, at) =>
      `${JSON.stringify(path)}: ${(at + 1) * 1_234} bytes, SHA-256 ${`${at}af`.repeat(22).slice(0, 64)}`,
  );
  const page = await openTab({
    choices: [
      {
        ...sampling,
        title: 'Use this skill of an MCP server?',
        note: 'The model reads it when it or you ask for it, as long as no file changes. Loading it runs nothing.',
        rows: [
          { label: 'Skill', text: 'pdf-forms' },
          { label: 'Files', text: files.join('\n') },
          {
            label: 'Text',
            text: `---\nname: pdf-forms\n---\n# Forms\n${lines.join('\n')}\nthe last line`,
          },
        ],
        choices: sampling.choices.slice(0, 2),
      },
    ],
    forms: [],
  });
  await expect.poll(() => allow(page).isDisabled()).toBe(false);
  await page.getByText('the last line').last().scrollIntoViewIfNeeded();
  expect(await faultsInAllLooks(page, 'skill')).toEqual([]);
});

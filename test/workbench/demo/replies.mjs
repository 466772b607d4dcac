// @ts-check
/** What the demo model says: the answer of a rule, or what its tools answered. */
import { rules, searchTool, textOf } from './rules.mjs';

/**
 * @typedef {{ name: string, description?: string, parameters?: object }} Tool
 * @typedef {{ name: string, args: object }} Call
 * @typedef {{ type: string, text?: string }} Part
 * @typedef {{ role: string, content: string | Part[], tool_call_id?: string, tool_calls?: { id: string, function: { name: string } }[] }} Message
 * @typedef {{ tools: Tool[], messages: Message[], hasSearched: boolean }} Chance what can be called now, and whether the wish was searched for
 * @typedef {{ text: string, calls?: Call[], isSlow?: boolean, status?: number }} Reply
 */

/**
 * @param {Message[]} messages
 * @param {Tool[]} tools
 * @returns {Reply}
 */
export function decide(messages, tools) {
  const lastUser = messages.findLastIndex(
    ({ role, content }) => role === 'user' && !isToolImage(content) && !isTaskResult(content),
  );
  const wish = textOf(messages[lastUser]?.content).trim();
  const following = messages.slice(lastUser + 1);
  const { results, searches } = resultsOf(following);
  const calls = nextStep(stepsOf(wish), results.length);
  if (calls) {
    return { text: '', calls };
  }
  if (results.length > 0) {
    return { text: summarize(results, wish, following) };
  }
  const reply = react(wish, { tools, messages, hasSearched: searches.length > 0 });
  const isNewStep = reply && !(searches.length > 0 && reply.calls?.every(isSearch));
  if (isNewStep) {
    return reply;
  }
  return { text: searches.length > 0 ? summarize(searches, wish, following) : help(tools) };
}

/**
 * What `steps [{"name": …, "args": …}, …]` asks for: one call after the other; a list in the list is one answer.
 * @param {string} wish
 * @returns {(Call | Call[])[]}
 */
function stepsOf(wish) {
  const [, json] = /^steps\s+(\[.*\])$/s.exec(wish) ?? [];
  return json ? JSON.parse(json) : [];
}

/**
 * @param {(Call | Call[])[]} steps
 * @param {number} done results that are there
 */
function nextStep(steps, done) {
  const answers = steps.map((step) => [step].flat());
  return answers.find((_, at) => answers.slice(0, at).flat().length === done);
}

/**
 * Results of tools apart from what ToolSearch found.
 * @param {Message[]} messages
 */
function resultsOf(messages) {
  const searchIds = messages
    .flatMap(({ tool_calls: calls }) => calls ?? [])
    .filter((call) => isSearch(call.function))
    .map(({ id }) => id);
  const all = messages.filter(({ role }) => role === 'tool');
  return {
    results: all.filter(({ tool_call_id: id }) => !searchIds.includes(id ?? '')),
    searches: all.filter(({ tool_call_id: id }) => searchIds.includes(id ?? '')),
  };
}

/**
 * The first rule that fits and can be followed.
 * @param {string} wish
 * @param {Chance} chance
 * @returns {Reply | undefined}
 */
function react(wish, chance) {
  for (const [pattern, follow] of rules) {
    const match = pattern.exec(wish);
    const reply = match && follow(match, chance);
    if (reply) {
      return reply;
    }
  }
  return undefined;
}

/** @param {Tool} tool */
function isSearch({ name }) {
  return name === searchTool;
}

/**
 * Images of tool results travel in a user message of their own.
 * @param {Message['content']} content
 */
function isToolImage(content) {
  return (
    Array.isArray(content) &&
    content.some(({ type }) => type === 'image_url') &&
    /^(Attached image|\(see attached|$)/i.test(textOf(content))
  );
}

/**
 * Results of tasks in the background travel in user messages too.
 * @param {Message['content']} content
 */
function isTaskResult(content) {
  return textOf(content).startsWith('<mcp-task-result ');
}

/**
 * @param {Message[]} results
 * @param {string} wish
 * @param {Message[]} following
 */
function summarize(results, wish, following) {
  const images = following
    .flatMap(({ content }) => (Array.isArray(content) ? content : []))
    .filter(({ type }) => type === 'image_url').length;
  const quotes = results.map(({ content }) => {
    const text = textOf(content).trim() || '(no text)';
    const shown = text.length > 600 ? `${text.slice(0, 600)} …` : text;
    return ['```text', shown, '```'].join('\n');
  });
  const count = results.length === 1 ? 'The tool answered' : `**${results.length} tools** answered`;
  const seen =
    images > 0 ? `\n\nIt also returned **${images} image${images > 1 ? 's' : ''}**.` : '';
  return `${count} your request *“${wish.slice(0, 80)}”*:\n\n${quotes.join('\n\n')}${seen}`;
}

/** @param {Tool[]} tools */
function help(tools) {
  const names = tools.map(({ name }) => `\`${name}\``);
  return [
    'I am a small **scripted model** for trying things out. I understand for example:',
    '',
    '- `echo hello`',
    '- `add 2 and 3`',
    '- `show me an image`',
    '- `list files`, `read README.md`, `run date`',
    '- `tell me a long story` (then press *Stop*)',
    '',
    names.length > 0
      ? `I am offered ${names.length} tools: ${names.join(', ')}.`
      : 'I am offered no tools.',
  ].join('\n');
}

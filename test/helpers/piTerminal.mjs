// @ts-check
/**
 * Stands for Pi in a terminal: its own SessionManager, in a process of its own, in the folder that it is started in.
 * The first argument says what it does; what it finds goes to stdout as JSON.
 *
 *   list                    the conversations that `pi --resume` offers
 *   begin TEXT              a conversation of its own
 *   say FILE TEXT           goes on with the newest branch of a conversation
 *   talk FILE TEXT...       opens it once, then says each text when a line comes from stdin
 */
import { createInterface } from 'node:readline';
import { SessionManager } from '@earendil-works/pi-coding-agent';

const [what, ...rest] = process.argv.slice(2);
const cwd = process.cwd();

/**
 * @param {SessionManager} manager
 * @param {string} text
 */
function say(manager, text) {
  const at = Date.now();
  manager.appendMessage({ role: 'user', content: [{ type: 'text', text }], timestamp: at });
  manager.appendMessage(
    /** @type {never} */ ({
      role: 'assistant',
      content: [{ type: 'text', text: `The terminal heard: ${text}` }],
      api: 'openai-completions',
      provider: 'demo',
      model: 'demo-1',
      usage: {
        input: 1,
        output: 1,
        cacheRead: 0,
        cacheWrite: 0,
        totalTokens: 2,
        cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
      },
      stopReason: 'stop',
      timestamp: at,
    }),
  );
}

/** @param {unknown} found */
const tell = (found) => process.stdout.write(`${JSON.stringify(found)}\n`);

if (what === 'list') {
  const sessions = await SessionManager.list(cwd, process.env.PI_CODING_AGENT_SESSION_DIR);
  tell(sessions.map(({ path, firstMessage }) => ({ path, firstMessage })));
} else if (what === 'begin') {
  const manager = SessionManager.create(cwd, process.env.PI_CODING_AGENT_SESSION_DIR);
  say(manager, rest.join(' '));
  tell(manager.getSessionFile());
} else if (what === 'say') {
  const [file = '', ...words] = rest;
  say(SessionManager.open(file), words.join(' '));
  tell('said');
} else if (what === 'talk') {
  const [file = '', ...texts] = rest;
  const manager = SessionManager.open(file);
  tell('opened');
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  for (const text of texts) {
    await lines.next();
    say(manager, text);
    tell('said');
  }
  process.exit(0);
}

/** Titles of conversations that their model gives them, with the real Pi and a scripted model. */
import { expect, it } from 'vitest';
import type { AgentHarness } from '../helpers/fakes/agentHarness.js';
import { createDeferred } from '../helpers/fakes/deferred.js';
import { useAgentHarness } from '../helpers/fakes/useAgentHarness.js';

const harness = useAgentHarness();

type Request = AgentHarness['demo']['requests'][number];

const textOf = (request: Request | undefined) => JSON.stringify(request?.messages);
const isForTitle = (request: Request) => textOf(request).includes('You name conversations');
const titleOf = ({ panel }: AgentHarness) => panel.snapshot().state.title;
const asked = ({ demo }: AgentHarness) => demo.requests.filter(isForTitle);
const spent = async ({ panel }: AgentHarness) => (await panel.context.read())?.all;

async function openTitled(): Promise<AgentHarness> {
  const h = await harness();
  h.titles.set('model');
  h.demo.script.say = (request) =>
    isForTitle(request) ? '“Greeting\u202E at\u0007 length.”\nBecause …' : undefined;
  return h;
}

it('asks for no title by itself', async () => {
  const h = await harness();
  await h.say('hello');
  await h.say('hello again');
  expect(titleOf(h)).toBe('hello');
  expect(h.demo.requests).toHaveLength(2);
});

it('lets the model name a conversation with its second message, once, and counts that', async () => {
  const h = await openTitled();
  await h.say('hello');
  expect(titleOf(h)).toBe('hello');
  await h.say('hello again');
  await h.until('the title', ({ state }) => state.title === 'Greeting at length');
  const [request] = asked(h);
  expect(request).not.toHaveProperty('tools');
  expect(Math.max(...Object.values(limitsIn(request)))).toBe(20);
  expect(await spent(h)).toMatchObject({ requests: 3 });
  await h.say('and again');
  expect(asked(h)).toHaveLength(1);
  expect(textOf(h.demo.requests.at(-1))).not.toContain('Greeting at length');
  await h.reload();
  expect(titleOf(h)).toBe('Greeting at length');
  expect(await spent(h)).toMatchObject({ requests: 4 });
});

/** Whatever a provider calls it. */
function limitsIn(request: object | undefined): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(request ?? {}).filter(([key]) => /max_.*tokens/.test(key)),
  ) as Record<string, number>;
}

it('names it after the first run with a call', async () => {
  const h = await openTitled();
  await h.say('steps [{"name": "ls", "args": {"path": "."}}]');
  await h.until('the title', ({ state }) => state.title === 'Greeting at length');
});

it('never names what the user named, not even while the model is asked', async () => {
  const h = await openTitled();
  const answer = createDeferred<string>();
  const isOut = createDeferred<void>();
  h.demo.script.say = (request) => {
    if (!isForTitle(request)) {
      return undefined;
    }
    isOut.resolve();
    return answer.promise;
  };
  await h.say('hello');
  await h.say('hello again');
  await isOut.promise;
  await h.panel.library.rename(h.panel.snapshot().conversation, 'Mine');
  answer.resolve('Of the model');
  await expect.poll(async () => (await spent(h))?.requests).toBe(3);
  await h.say('and again');
  expect(titleOf(h)).toBe('Mine');
  expect(asked(h)).toHaveLength(1);
});

it('leaves the first request as the title when the model does not answer, and says nothing', async () => {
  const h = await openTitled();
  h.demo.script.refuse = (request) =>
    isForTitle(request) ? { status: 400, text: 'no titles here' } : undefined;
  await h.say('hello');
  await h.say('hello again');
  await expect.poll(() => asked(h).length).toBe(1);
  await h.say('and again');
  expect(titleOf(h)).toBe('hello');
  expect(JSON.stringify(h.panel.snapshot().transcript)).not.toContain('no titles here');
});

/**
 * `npm run test:servers [-- NAME …]`: public servers from npm through the product's core, beside the official SDK. Prints
 * what is different, writes test-results/servers.md, and fails on a difference that nobody has explained.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorMessage } from '../../src/base/errors.js';
import { repository } from '../workbench/paths.mjs';
import { findProcesses, killProcesses } from '../workbench/processes.mjs';
import {
  compareLists,
  compareNames,
  type Difference,
  differenceOf,
  hasSameShape,
  isSame,
} from './compare.js';
import { explain } from './explained.js';
import { nameOf, programOf } from './installed.js';
import { openOwnSide } from './ownSide.js';
import { planFor } from './plan.js';
import { openRawSide } from './rawSide.js';
import { reportOf, type ServerRow } from './report.js';
import { type PublicServer, publicServers } from './servers.js';
import type { Action, Launch, Outcome, Side } from './side.js';

/** How long a process may take to end after its client has let go of it. */
const endMs = 5000;
const lookMs = 100;

const wanted = process.argv.slice(2);
const root = realpathSync(mkdtempSync(join(tmpdir(), 'pi-mcp-servers-')));
const rows: ServerRow[] = [];
try {
  for (const server of publicServers) {
    const name = nameOf(server.package);
    if (wanted.length === 0 || wanted.some((part) => name.includes(part))) {
      const row = await runServer(server);
      rows.push(row);
      console.log(summary(row));
    }
  }
} finally {
  rmSync(root, { recursive: true, force: true, maxRetries: 5 });
}
const report = reportOf(rows);
const results = join(repository, 'test-results');
mkdirSync(results, { recursive: true });
writeFileSync(join(results, 'servers.md'), report);
console.log(`\n${report}`);
const isFailed = rows.some(({ unexplained }) => unexplained.length > 0);
process.exit(isFailed || rows.length === 0 ? 1 : 0);

async function runServer(server: PublicServer): Promise<ServerRow> {
  const name = nameOf(server.package);
  const empty = {
    name,
    tools: 0,
    actions: 0,
    connectMs: 0,
    givenTokens: 0,
    sentTokens: 0,
    left: 0,
  };
  try {
    const script = programOf(server);
    const row = await compareSides(server, script);
    const found = row.differences.map((difference) => ({
      ...difference,
      reason: explain(name, difference),
    }));
    return {
      ...empty,
      ...row,
      explained: found.filter(({ reason }) => reason !== undefined),
      unexplained: found.filter(({ reason }) => reason === undefined),
    };
  } catch (error) {
    const trouble = { what: 'run', raw: errorMessage(error), own: '' };
    return { ...empty, explained: [], unexplained: [trouble] };
  }
}

async function compareSides(server: PublicServer, script: string) {
  const rawLaunch = launchOf(server, script, 'raw');
  const raw = await openRawSide(rawLaunch);
  const actions = planFor(server, raw.lists);
  const rawOutcomes = await performAll(raw, planned(actions, rawLaunch));
  await raw.close();
  const rawLeft = await leftOf(rawLaunch, endMs);

  const launch = launchOf(server, script, 'own');
  const againLaunch = launchOf(server, script, 'two');
  const homes = [rawLaunch, launch, againLaunch].map(({ home }) => home);
  const own = await openOwnSide(launch);
  const outcomes = await performAll(own, planned(actions, launch));
  await own.close();
  // the core has waited for their end
  const left = await leftOf(launch, 0);
  const plain = (text: string) =>
    homes.reduce((masked, home) => masked.replaceAll(home, '<home>'), text);
  const suspects = actions
    .map((action, index) => ({
      action,
      index,
      raw: outcomeAt(rawOutcomes, index),
      own: outcomeAt(outcomes, index),
    }))
    .filter((one) => !isSame(one.raw, one.own, plain));
  const again = suspects.length > 0 ? await performAgain(actions, againLaunch) : [];
  const changed = suspects.filter(
    ({ raw: first, own: answer, index }) =>
      // who answers the SDK differently each time may do so here
      isSame(first, outcomeAt(again, index), plain) || !hasSameShape(first, answer),
  );
  const differences: readonly Difference[] = [
    ...compareLists(raw.lists, own.lists, plain),
    ...compareNames(raw.lists, own.sent),
    ...changed.map((one) => differenceOf(one.action, one.raw, one.own)),
    ...(left.length > 0
      ? [{ what: 'processes: left behind', raw: rawLeft.join(), own: left.join() }]
      : []),
  ];
  return {
    differences,
    tools: own.lists.tools.length,
    actions: actions.length,
    connectMs: own.connectMs,
    givenTokens: own.sent.reduce((total, { givenTokens }) => total + givenTokens, 0),
    sentTokens: own.sent.reduce((total, { tokens }) => total + tokens, 0),
    left: rawLeft.length,
  };
}

async function performAgain(
  actions: readonly Action[],
  launch: Launch,
): Promise<readonly Outcome[]> {
  const side = await openRawSide(launch);
  const outcomes = await performAll(side, planned(actions, launch));
  await side.close();
  await leftOf(launch, endMs);
  return outcomes;
}

/** Both sides get folders of the same length, since servers put them into texts that are cut. */
function launchOf(
  { args = [], env = {}, package: spec }: PublicServer,
  script: string,
  side: string,
): Launch {
  const home = join(root, spec.replaceAll('/', '+'), side);
  const cwd = join(home, 'work');
  mkdirSync(cwd, { recursive: true });
  const fill = (text: string) => filled(text, home);
  return {
    script,
    args: args.map(fill),
    // the SDK passes its own on
    env: {
      SHELL: '/bin/sh',
      ...Object.fromEntries(Object.entries(env).map(([key, value]) => [key, fill(value)])),
    },
    home,
    cwd,
  };
}

function filled(text: string, home: string): string {
  return text.replaceAll('{home}', home).replaceAll('{work}', join(home, 'work'));
}

function planned(actions: readonly Action[], { home }: Launch): readonly Action[] {
  const inHome = (text: string) => filled(text, home);
  return actions.map((action) =>
    action.kind === 'call'
      ? { ...action, args: JSON.parse(inHome(JSON.stringify(action.args))) }
      : action,
  );
}

async function performAll(side: Side, actions: readonly Action[]): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const action of actions) {
    outcomes.push(await side.perform(action));
  }
  return outcomes;
}

function outcomeAt(outcomes: readonly Outcome[], index: number): Outcome {
  return outcomes[index] ?? { kind: 'error', message: 'not performed' };
}

/** Commands of processes that still run after so many milliseconds; they are ended. */
async function leftOf({ home }: Launch, waitMs: number): Promise<readonly string[]> {
  const until = performance.now() + waitMs;
  let found = findProcesses(home);
  while (found.length > 0 && performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, lookMs));
    found = findProcesses(home);
  }
  killProcesses(found);
  return found.map(({ command }) => command);
}

function summary({ name, tools, actions, connectMs, explained, unexplained }: ServerRow): string {
  const verdict = unexplained.length > 0 ? `${unexplained.length} DIFFERENCES` : 'ok';
  return `${verdict}  ${name}: ${tools} tools, ${actions} requests, ${connectMs} ms, ${explained.length} explained`;
}

/** What rows of words mean together, in the words of tools. General English only: what would be true of any server. */
import { lazy } from '../../../../base/async/once.js';
import { baseFormOf } from './synonyms.js';
import { stemOf } from './vocabulary.js';

/**
 * `a|b c: d e`: a or b, and c after it with at most three words between, mean one of d and e. The words themselves count
 * little then.
 */
const phraseLines = `
pr|prs: pull request; mr|mrs: merge request; dm: direct message; ui: user interface; kb: knowledge base;
to do|dos: todo task; sms: text message; e mail|mails: email; vm|vms: machine instance vm;

who am i: whoami user profile; logged|signed in as: whoami user; my account|profile: user profile account;
who is|are in|on|part: member user participant; who was|were in|at|there: participant attendee member;
who belongs|works: member user; who wrote|changed|touched: author blame; who own|owns|holds: owner holder;
who can|may|could see|open|read|edit|access|do|change: permission access role; allowed to: permission allowed access;
what may|can do: permission access role; who uses|calls|references: reference usage; who pays|pay: subscription customer;
who owes|owe: overdue receivable invoice; owes|owe us|me: overdue receivable invoice; on call|duty|shift: oncall;
in charge: owner oncall; let in: invite access permission; give access|rights|permission: share permission grant role;
take away access|rights|permission: revoke remove; take back: revoke undo remove; keep informed|posted: follower subscribe notify;

how many: count number total; how much money|cash: balance account; how much cost|costs|pay|paid|spend|spent: cost price usage;
how much: amount usage cost price; how much time: time duration; how much space|disk|room: size storage;
how much memory|cpu|ram|load: stats usage metric; how long take|takes: duration distance time direction; how long: duration time;
how far: distance; how big|large|heavy: size; how fast|slow|quick: performance speed; how old: age date created;
how high|tall: elevation height; how hot|cold|warm: temperature weather forecast; how popular: trend popularity;
how going|doing|stand|stands: status progress; how well|good: quality performance rating; how often: count frequency;
how loud: volume; how bright: brightness; how get to: direction route; way to: direction route;
by bus|train|car|bike|foot|tram|subway: direction travel; get from to: direction route; near|close me|us|here|by: local nearby place;

is ok|fine|healthy|well|alive|up|down|reachable|working|green: health status ping; still alive|there|up: health status ping;
is safe|secure: vulnerability scan security; known holes|bugs|weaknesses: vulnerability scan; is done|finished|ready|over: status;
good enough: quality gate; busy with|doing: process activity; going on: activity event status; went wrong: error failure log;
why fail|failed|fails|break|broke|crash|crashed|stop|stopped|red|broken: log error failure output;
why slow: performance trace profile slow; why not start|work|run|build: log describe error event;
what happened|new: activity recent history event; what changed|change: diff change history; been changed: diff change history;
is open|closed now: hours open clock; opening hours|times: hours detail; what is in|inside|on: list content item;
what in|inside|on it: list content item; what are in|inside|on: list content item; what does say|contain|hold: read content text get;
what do say|contain|hold: read content text get; do people|others|readers|users|customers say|think: comment review discussion;
what is about: summary describe info; where is defined|declared: definition symbol find; where is used|called: reference;
where used|uses: reference usage; my parcel|package|delivery: shipment tracking; when was changed|modified|touched|edited: info modified history;
last changed|modified|touched|edited: info modified history; what time: time current; song is|playing: playing current track now;
now playing: playing current; is playing|running|on now: playing current running; waiting in line|queue: queue pending;
have to do: task todo my due; have on: event calendar; am i free|busy: freebusy availability event; have time: freebusy availability;
is online|around|there|available|away: presence status; coming up: event upcoming forecast; look like: screenshot info view;
take longest|most: slow top; most time: slow top; take time|long: slow duration;

put|set aside: stash; for later: stash save queue; put off: reschedule postpone; push|move back by|to: reschedule update;
move to tomorrow|today|monday|tuesday|wednesday|thursday|friday|saturday|sunday: reschedule update;
move to o|clock|noon|morning|afternoon|evening: reschedule update event; move|put|drag|bring to|into column|stage|lane|status|state: move transition status;
mark|set|flag as done|finished|complete|completed: complete close status update; mark|set|flag as fixed|resolved|solved|settled: resolve close status update;
tick|check|cross|strike off|out: complete; move to progress|done|review: transition status move update; mark as read: read mark; mark as spam: spam mark;
start over: reset restart recreate; from scratch: create new recreate; go back page|previous: back navigate; go back: back rollback previous; roll back: rollback;
up to date: update sync latest; catch up: pull sync update; last working|good: rollback previous;
make bold|italic|underlined|colored|red|blue: format style; make bigger|larger|smaller: resize scale; make louder|quieter|softer: volume;
make brighter|darker: brightness light; make warmer|cooler|colder: temperature; make private|public: visibility permission update;
take apart: split; into pieces|parts: split; put together: merge combine join; into one: merge combine join; cut off|out: trim remove crop;
turn into: convert create; make out of: convert create; find replace: replace; everywhere: replace all; call something else: rename; give name: rename name;
percent of: calculate; plus|minus|times: calculate; divided by: calculate; square root: calculate;

get rid: delete remove; throw away: delete remove; throw out: kick remove; no longer need|needed: delete remove; take down|off: remove delete;
not need anymore: delete remove; clean up: cleanup remove delete; shut up: mute; call off: cancel delete;
lunch|dinner|coffee|breakfast|drinks with: event calendar; meeting|appointment|date with: event calendar; doctor|dentist|barber: event appointment;
on monday|tuesday|wednesday|thursday|friday|saturday|sunday at: event time schedule; next week|month: event date schedule; for tomorrow: schedule event;
no alarm|alert|notification: mute silence downtime; do not disturb: mute presence; stop notifications|messages|mails: mute unsubscribe;
no more: stop unsubscribe block mute; never again: block mute; never hear: block mute;

let know: send message notify; pass|send|hand on: forward; pass along: forward; get back to: reply; write back: reply; say yes: accept respond; say no: decline respond;
say hello|hi: send message; drop line|note: send message; ask vote: poll; call up: call; thumbs up: reaction approve; on behalf: send;
give ok|go: approve; green light: approve; sign off: approve; not now: decline snooze; can not come|make: decline respond; will come|attend: accept respond;
wake up: start resume restore; bring in: invite add; as well: add; also ask: add;

came|come with mail|email|message: attachment; attached to: attachment; keep copy: download backup export; save to disk: download write;
from server|remote to my|local: download; to the server|remote: upload; put on server|drive|bucket|cloud: upload; free disk|space: remove prune delete;
print printed|prints: log output; did print|write|output: log output; console|terminal output: log console output; look up: search lookup; look for: search find; find out: search get;

for merging: pull merge request create; ready to merge: pull request; propose branch|changes|change: pull request create; land|ship it|request: merge;
look over: review; leave|give feedback: review comment; send back: decline reject; did change|touch|edit: diff status change;
save work|changes: commit save; local commits: push; bring over: copy cherry; on top of: rebase; jump to: switch checkout;
stack trace: stacktrace detail; sometimes fail|fails|pass: flaky; go live: stream deploy publish; put live|online: deploy publish; in production: deploy production;
spin|fire up: create start; bring up: start up; tear down: down delete remove; set up: create configure; hand over: assign transfer; take over: override;
swap shift|duty: override; keep track: track; out of date: outdated version latest; how up date: version latest; what depends|depend: dependency; depend on: dependency;
take offline: pause stop; turn|switch|power off: stop off; turn|switch|power on: start on; shut down: stop terminate; kick off: trigger start; run again: rerun retry;
start again: restart rerun; try again: retry rerun; more memory|cpu|power|ram: resize scale; more copies|instances|replicas|servers: scale; from laptop|computer|machine: forward connect local;
plug in: plugin; back up: backup snapshot; make|take backup: backup snapshot; make copy: copy duplicate snapshot; bring back: restore; check out: checkout;
get sql: query; run sql: query execute sql; rows where: query filter; after hour|minute|day|while: expire schedule; goes away: expire;

money back: refund; give back: refund return; back money: refund; contest|challenge|fight payment|charge: dispute; bank account: balance account;
in stock: inventory; left in shop|store|stock: inventory stock; on way: shipment tracking fulfill; without buying|paying: abandoned; left behind: abandoned;
make offer: quote estimate; make profit|money|loss: profit report; talked to phone: log call; on the phone: call; same problem|thing: duplicate merge; not paid: overdue unpaid invoice;
out office: vacation; day off: vacation; on holiday|vacation|leave: vacation; answer automatically: vacation responder automatic;
sign in: login auth; log in: login auth; sign up: register subscribe signup; check|sign up for: register subscribe;

out loud: speech; read aloud|out: speech; write down said|says|spoken|heard: transcribe; said in recording|audio|call: transcribe transcript; was said in: transcript history message;
write down: save transcribe create; other words: rephrase; more politely|formally|friendly: rephrase; in german|french|spanish|italian|english: translate;
sound|sounds|look|looks like: similar recommendation; similar to: similar recommendation related; more like: similar recommendation; what else: related recommendation;
what can cook|eat: recipe; to eat: restaurant place recipe; place|flat|room|apartment to stay: listing; flat|room|apartment|house in|for: listing; plane ticket|tickets: flight;
share|stock price: stock quote price; went up|down: gainer loser price; need umbrella|coat|jacket: weather forecast; will rain|snow: weather forecast; go up|down: forecast;
be higher|lower|more: forecast; next month|year|week: forecast; screen shot: screenshot; bundle size: size; web page: page url; web site: website; find cheap|cheapest: cheapest price;
pop up: dialog; drop down: select option; fill out|in: fill form; right|double mouse|click: click; on a phone|mobile|tablet|iphone: emulate device resize; mouse over: hover;
step by step: think step; think about|through: think; remember that: memory remember observation store; what know about: memory search; told you: memory observation; i told: memory observation;
`;

export interface Phrase {
  /** The words of the request. */
  readonly words: readonly string[];
  readonly meaning: readonly string[];
}

interface Pattern {
  readonly parts: readonly (readonly string[])[];
  readonly meaning: readonly string[];
}

/** At most so many words may stand between two of a phrase: *give it back*. */
const maxGap = 3;

/** Read with the first search, which not every session has. */
const patterns = lazy(() => {
  const found = new Map</* first word */ string, Pattern[]>();
  for (const line of phraseLines.split(';')) {
    const [phrase = '', meaning = ''] = line.trim().split(': ');
    const parts = phrase
      .split(' ')
      .map((part) => part.split('|').flatMap((word) => [baseFormOf(word), stemOf(word)]));
    if (meaning === '') {
      continue;
    }
    for (const first of new Set(parts[0])) {
      const same = found.get(first) ?? [];
      same.push({ parts, meaning: meaning.split(' ') });
      found.set(first, same);
    }
  }
  return found;
});

/** @param words in base form and lower case, in order */
export function readPhrases(words: readonly string[]): readonly Phrase[] {
  const known = patterns();
  const found: Phrase[] = [];
  for (const [start, word] of words.entries()) {
    for (const { parts, meaning } of [
      ...(known.get(word) ?? []),
      ...(stemOf(word) === word ? [] : (known.get(stemOf(word)) ?? [])),
    ]) {
      const matched = match(parts, words, start);
      if (matched && !found.some((phrase) => phrase.meaning === meaning)) {
        found.push({ words: matched, meaning });
      }
    }
  }
  return found;
}

function match(parts: Pattern['parts'], words: readonly string[], start: number) {
  const matched = [words[start] as string];
  let at = start;
  for (const part of parts.slice(1)) {
    const end = Math.min(words.length, at + 2 + maxGap);
    let next = at + 1;
    while (
      next < end &&
      !part.includes(words[next] as string) &&
      !part.includes(stemOf(words[next] as string))
    ) {
      next++;
    }
    if (next >= end) {
      return undefined;
    }
    matched.push(words[next] as string);
    at = next;
  }
  return matched;
}

/** What speaks for a tool, and against it, among the best of a search. */
import { largest } from '../../../../base/lists.js';
import { isPlural, isRead } from '../reading/kinds.js';
import type { QueryTerm, ReadQuery } from '../reading/queryTerms.js';
import { isStopWord } from '../reading/stopWords.js';
import { stemOf, type Vocabulary } from '../reading/vocabulary.js';
import { type Profile, specialWords, type TermSet } from './profile.js';

export interface Candidate {
  readonly profile: Profile;
  readonly server: number;
  /** From the search. */
  readonly score: number;
  /** 0 to 1: how much of the name of its server the request has. */
  readonly named: number;
}

/** Each is 0 where nothing is known. */
export const featureNames = [
  'score',
  'scoreInServer',
  'toolsOfServer',
  'answeredByAll',
  'answeredByMain',
  'answeredByParameters',
  'sameWords',
  'nameAnswered',
  'nameUnanswered',
  'nameLength',
  'nameStartAnswered',
  'nameEndAnswered',
  'special',
  'serverNamed',
  'otherServerNamed',
  'sameKind',
  'createsNew',
  'readsForChange',
  'readsForRead',
  'readsForQuestion',
  'changesForQuestion',
  'readsForNoun',
  'listsMany',
  'getsMany',
  'searchesMany',
  'listsOne',
  'unknownKind',
  'sameNumber',
  'who',
  'when',
  'where',
  'why',
  'howMany',
  'explains',
  'explainsUnasked',
] as const;
export type Feature = (typeof featureNames)[number];

/** What a question asks for, in words of names. */
const asked: readonly (readonly [
  Feature,
  (words: ReadonlySet<string>) => boolean,
  ReadonlySet<string>,
])[] = [
  [
    'who',
    (words) => words.has('who') || words.has('whose') || words.has('whom'),
    stemsOf(
      'user member people participant contact owner author whoami oncall blame customer employee profile holder maintainer attendee',
    ),
  ],
  [
    'when',
    (words) => words.has('when'),
    stemsOf('event date time schedule calendar history info status log activity meeting'),
  ],
  [
    'where',
    (words) => words.has('where'),
    stemsOf('search find location path directory file symbol reference place'),
  ],
  [
    'why',
    (words) => words.has('why'),
    stemsOf('log error explain analyze describe detail diagnose output event failure'),
  ],
  [
    'howMany',
    (words) => words.has('how') && (words.has('many') || words.has('much')),
    stemsOf(
      'count stat statistic total list size usage balance price cost report analytics measure',
    ),
  ],
];

/** Words of tools that tell how something is done. */
const explaining = stemsOf('docs documentation guide help learn');

function asksForExplanation(words: readonly string[]): boolean {
  const isHow = words[0] === 'how' && words.some((word) => auxiliaries.has(word));
  return (isHow && !words.some((word) => extents.has(word))) || words.some(isDocumentation);
}
const auxiliaries = new Set('do does can to i'.split(' '));
/** After them, *how* asks for a number. */
const extents = new Set('many much far long high'.split(' '));

function isDocumentation(word: string): boolean {
  return word === 'docs' || word === 'documentation';
}

/** Features of the candidates, in the order of {@link featureNames}. */
export class FeatureReader {
  private readonly answers = new Map</* term */ number, /* weight */ number>();
  private readonly words: ReadonlySet<string>;
  private readonly own: readonly { readonly term: number; readonly importance: number }[];
  private readonly totalOfTerms: number;
  private readonly totalOfOwn: number;
  private readonly plurals: TermSet;
  private readonly singulars: TermSet;
  private readonly asked: readonly Feature[];
  private readonly asksHow: boolean;

  constructor(
    private readonly query: ReadQuery,
    private readonly vocabulary: Vocabulary,
    /** How telling a term is; `undefined`: one that no tool has. */
    private readonly importanceOf: (term: number | undefined) => number,
  ) {
    this.words = new Set(query.words);
    for (const [term, weight] of query.terms.flatMap((expansion) => [...expansion])) {
      this.answers.set(term, Math.max(this.answers.get(term) ?? 0, weight));
    }
    this.totalOfTerms = sum(query.terms.map((expansion) => this.answered(expansion, () => true)));
    const own = [...query.stems].map((stem) => vocabulary.find(stem));
    this.own = own.map((term) => ({
      term: term ?? -1,
      importance: Math.min(maxImportance, importanceOf(term)),
    }));
    this.totalOfOwn = sum(this.own.map(({ importance }) => importance));
    this.plurals = this.termsOf(query.words.filter(isPlural));
    this.singulars = this.termsOf(query.words.filter((word) => !isPlural(word)));
    const isQuestion = query.wanted.form === 'question';
    this.asked = asked
      .filter(([, isAsked]) => isQuestion && isAsked(this.words))
      .map(([name]) => name);
    this.asksHow = asksForExplanation(query.words);
  }

  read(candidates: readonly Candidate[]): readonly (readonly number[])[] {
    const highest = largest(candidates.map(({ score }) => score));
    const mostNamed = largest(candidates.map(({ named }) => named));
    const servers = new Map<number, { best: number; count: number }>();
    for (const { server, score } of candidates) {
      const { best, count } = servers.get(server) ?? { best: 0, count: 0 };
      servers.set(server, { best: Math.max(best, score), count: count + 1 });
    }
    return candidates.map(({ profile, server, score, named }) => {
      const { best = score, count = 1 } = servers.get(server) ?? {};
      const features: Record<Feature, number> = {
        score: score / highest,
        scoreInServer: Math.log(score / best),
        toolsOfServer: Math.log(count),
        ...this.coverage(profile),
        ...this.nameCoverage(profile),
        special:
          profile.isSpecial && !this.query.words.some((word) => specialWords.has(word)) ? 1 : 0,
        serverNamed: named,
        otherServerNamed: mostNamed - named,
        ...this.kinds(profile),
        sameNumber: this.sameNumber(profile),
        ...this.interrogatives(profile),
        ...this.explanation(profile),
      };
      return featureNames.map((name) => features[name]);
    });
  }

  private coverage({ main, all, parameters }: Profile) {
    const share = (terms: (term: number) => boolean) =>
      ratio(
        sum(this.query.terms.map((expansion) => this.answered(expansion, terms))),
        this.totalOfTerms,
      );
    return {
      answeredByAll: share((term) => all.has(term) || parameters.has(term)),
      answeredByMain: share((term) => main.has(term)),
      answeredByParameters: share((term) => parameters.has(term)),
      sameWords: ratio(
        sum(this.own.map(({ term, importance }) => (all.has(term) ? importance : 0))),
        this.totalOfOwn,
      ),
    };
  }

  private nameCoverage({ name }: Profile) {
    let total = 0;
    let answered = 0;
    let unanswered = 0;
    let start: number | undefined;
    let end = 0;
    for (const term of name) {
      const importance = this.importanceOf(term);
      const weight = Math.min(1, this.answers.get(term) ?? 0);
      total += importance;
      answered += importance * weight;
      unanswered += 1 - weight;
      start ??= weight;
      end = weight;
    }
    return {
      nameAnswered: ratio(answered, total),
      nameUnanswered: unanswered,
      nameLength: Math.log(Math.max(1, name.size)),
      nameStartAnswered: start ?? 0,
      nameEndAnswered: end,
    };
  }

  private kinds({ kinds }: Profile) {
    const { form, kinds: wanted, isMany } = this.query.wanted;
    const known = [...kinds];
    const reads = known.length > 0 && known.every(isRead);
    const changes = known.length > 0 && !known.some(isRead);
    const isOrder = form === 'imperative';
    const wantsRead = [...wanted].every(isRead);
    const wantsChange = ![...wanted].some(isRead);
    const isReading = !isOrder || wantsRead;
    const many = isMany && isReading;
    return {
      sameKind: flag(isOrder && known.some((kind) => wanted.has(kind))),
      createsNew: flag(form === 'new' && kinds.has('create')),
      readsForChange: flag(isOrder && wantsChange && reads),
      readsForRead: flag(isOrder && wantsRead && reads),
      readsForQuestion: flag(form === 'question' && reads),
      changesForQuestion: flag(form === 'question' && changes),
      readsForNoun: flag(form === 'noun' && reads),
      listsMany: flag(many && kinds.has('list')),
      getsMany: flag(many && kinds.has('get') && !kinds.has('list')),
      searchesMany: flag(many && kinds.has('search')),
      listsOne: flag(!isMany && isReading && kinds.has('list')),
      unknownKind: flag(known.length === 0),
    };
  }

  /** Whether what both name is one or several in both. */
  private sameNumber({ plurals, singulars }: Profile): number {
    const fit =
      common(this.plurals, plurals) +
      common(this.singulars, singulars) -
      common(this.plurals, singulars) -
      common(this.singulars, plurals);
    return Math.max(-2, Math.min(2, fit));
  }

  private interrogatives({ title }: Profile) {
    const found = { who: 0, when: 0, where: 0, why: 0, howMany: 0 };
    const stems = [...title].map((term) => this.vocabulary.stems[term] as string);
    for (const [name, , words] of asked) {
      found[name as keyof typeof found] = flag(
        this.asked.includes(name) && stems.some((stem) => words.has(stem)),
      );
    }
    return found;
  }

  private explanation({ title }: Profile) {
    const explains = [...title].some((term) =>
      explaining.has(this.vocabulary.stems[term] as string),
    );
    return {
      explains: flag(explains && this.asksHow),
      explainsUnasked: flag(explains && !this.asksHow),
    };
  }

  /** What the best of the terms counts that are there. */
  private answered(expansion: QueryTerm, isThere: (term: number) => boolean): number {
    let best = 0;
    for (const [term, weight] of expansion) {
      if (isThere(term)) {
        best = Math.max(best, weight * this.importanceOf(term));
      }
    }
    return best;
  }

  private termsOf(words: readonly string[]): TermSet {
    const telling = words.filter((word) => !isStopWord(word));
    return new Set(telling.flatMap((word) => this.vocabulary.find(stemOf(word)) ?? []));
  }
}

/** A word that hardly any tool has tells no more than this. */
const maxImportance = 8;

function stemsOf(words: string): ReadonlySet<string> {
  return new Set(words.split(' ').map(stemOf));
}

function common(some: TermSet, others: TermSet): number {
  return [...some].filter((term) => others.has(term)).length;
}

function flag(isSet: boolean): number {
  return isSet ? 1 : 0;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function ratio(part: number, whole: number): number {
  return whole > 0 ? part / whole : 0;
}

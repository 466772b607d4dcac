import { largest } from '../../../../base/lists.js';
import type { ReadQuery } from '../reading/queryTerms.js';
import type { SearchableTool } from '../reading/toolText.js';
import type { Vocabulary } from '../reading/vocabulary.js';
import { type Candidate, FeatureReader, featureNames } from './features.js';
import { commonStart, type Profile, profileOf } from './profile.js';
import { weights } from './weights.js';

export interface FoundCandidates {
  readonly request: ReadQuery;
  /** By their scores, best first. */
  readonly candidates: readonly (Omit<Candidate, 'profile'> & { readonly tool: number })[];
}

export interface Ranked {
  readonly tool: number;
  /** 0 to 1: how likely it is the one that is meant, if one of them is. */
  readonly score: number;
}

const weightsInOrder = featureNames.map((name) => weights[name]);

/** Ranks the best of a search by what is costly to look at. */
export class CandidateRanking {
  /** By tool; of those that were once among the best. */
  private readonly profiles: (Profile | undefined)[] = [];
  private readonly starts = new Map</* server */ string, string | undefined>();
  private names: ReadonlyMap</* server */ string, readonly string[]> | undefined;

  constructor(
    private readonly tools: readonly SearchableTool[],
    private readonly vocabulary: Vocabulary,
    private readonly importanceOf: (term: number | undefined) => number,
  ) {}

  /** Best first; what is equally likely stays in its order. */
  rank(found: FoundCandidates): readonly Ranked[] {
    const sums = this.featuresOf(found).map((values) =>
      values.reduce((total, value, at) => total + value * (weightsInOrder[at] as number), 0),
    );
    const highest = largest(sums);
    const shares = sums.map((sum) => Math.exp(sum - highest));
    const total = shares.reduce((all, share) => all + share, 0);
    return found.candidates
      .map(({ tool }, at) => ({ tool, score: (shares[at] as number) / total }))
      .sort((a, b) => b.score - a.score);
  }

  /** For each of them in the order of {@link featureNames}. */
  featuresOf({ request, candidates }: FoundCandidates): readonly (readonly number[])[] {
    const reader = new FeatureReader(request, this.vocabulary, this.importanceOf);
    return reader.read(
      candidates.map(({ tool, server, score, named }) => ({
        profile: this.profileOf(tool),
        server,
        score,
        named,
      })),
    );
  }

  private profileOf(tool: number): Profile {
    this.profiles[tool] ??= this.readProfile(this.tools[tool] as SearchableTool);
    return this.profiles[tool];
  }

  private readProfile(tool: SearchableTool): Profile {
    const { server } = tool;
    if (!this.starts.has(server)) {
      this.names ??= this.readNames();
      this.starts.set(server, commonStart(this.names.get(server) ?? []));
    }
    return profileOf(tool, this.vocabulary, this.starts.get(server));
  }

  private readNames(): ReadonlyMap<string, readonly string[]> {
    const names = new Map<string, string[]>();
    for (const { server, tool } of this.tools) {
      const known = names.get(server);
      if (!known) {
        names.set(server, [tool]);
      } else if (known.length < sampledNames) {
        known.push(tool);
      }
    }
    return names;
  }
}

/** So many names of a server show how all begin. */
const sampledNames = 10;

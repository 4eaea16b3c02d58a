import { type Contest, contest } from './contest.ts';
import type { Operation } from './load.ts';
import { type Party, type Pick, pickHot, pickRandom } from './posting-parties.ts';
import { closeAll, connections, type Stage } from './stage.ts';

export const batchSize = 50;

export interface PostingContest {
  shape: 'random' | 'hot';
  inFlight: number;
  /** Postings in one call. */
  size: number;
  contest: Contest;
}

/**
 * Posting in the database: each party with as many connections as there are postings in flight. The database settles before
 * postings are measured, so that no party is measured with plans made for empty tables.
 */
export async function contestPostings(
  stage: Stage,
  parties: readonly Party[],
  options: { inFlight: readonly number[]; milliseconds: number; rounds: number },
): Promise<PostingContest[]> {
  const results: PostingContest[] = [];
  for (const size of [1, batchSize]) {
    for (const [shape, pick] of [['random', pickRandom] as const, ['hot', pickHot] as const]) {
      for (const inFlight of options.inFlight) {
        const one = { ...options, inFlight, size, pick };
        results.push({ shape, inFlight, size, contest: await contestOnce(stage, parties, one) });
      }
    }
  }
  return results;
}

async function contestOnce(
  stage: Stage,
  parties: readonly Party[],
  {
    inFlight,
    milliseconds,
    rounds,
    size,
    pick,
  }: { inFlight: number; milliseconds: number; rounds: number; size: number; pick: Pick },
): Promise<Contest> {
  const clients = await Promise.all(parties.map((party) => connections(stage.urlFor(party.role), inFlight)));
  const operation =
    ({ post, postBatch }: Party, index: number): Operation =>
    async (worker) => {
      const client = clients[index]?.[worker];
      if (!client) throw new Error('each worker has a connection');
      if (size === 1 || postBatch === null) {
        await post(client, pick);
        return 1;
      }
      await postBatch(client, pick, size);
      return size;
    };
  try {
    const contestants = parties.map((party, index) => ({ name: party.name, operation: operation(party, index) }));
    return await contest(
      contestants,
      { inFlight, milliseconds },
      rounds,
      async () => void (await stage.admin.query('vacuum analyze')),
    );
  } finally {
    for (const own of clients) await closeAll(own);
  }
}

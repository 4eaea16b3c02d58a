import type { Broadcast, NodeAnswer } from './gateway.ts';

const order = ['accepted', 'known', 'spent', 'silent'] as const;

/** What the answers of all nodes come to: the best of them, and a refusal only where every node refused. */
export function outcomeOf(answers: readonly NodeAnswer[]): Broadcast {
  const best = order.find((candidate) => answers.some(({ answer }) => answer === candidate));
  if (best !== undefined) return { outcome: best === 'silent' ? 'unknown' : best, answers };
  return { outcome: 'rejected', reason: answers.at(-1)?.words ?? '', answers };
}

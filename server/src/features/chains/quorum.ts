import { Counter } from 'prom-client';
import { registry } from '../../platform/process/metrics.ts';
import { NoAgreement } from './gateway.ts';

const unagreed = new Counter({
  name: 'causeway_chain_unagreed_total',
  help: 'Reads of a chain on which its nodes did not agree, by reason',
  labelNames: ['chain', 'reason'],
  registers: [registry],
});

/** The nodes of one chain, in whichever way they are asked. */
export interface Nodes<E = unknown> {
  readonly chain: string;
  readonly endpoints: readonly E[];
}

/** For throwing; counts it too. `failures`: what kept nodes from answering, where that is known. */
export function noAgreement(
  nodes: Nodes,
  reason: NoAgreement['reason'],
  what: string,
  failures: readonly unknown[] = [],
): NoAgreement {
  unagreed.inc({ chain: nodes.chain, reason });
  const why = failures.map((failure) => (failure instanceof Error ? failure.message : String(failure)));
  return new NoAgreement(reason, [`${nodes.chain}: ${what}`, ...why].join('; '));
}

/** Two where two are configured: no single node's word moves money. */
export function quorumOf(nodes: Nodes): number {
  return Math.min(2, nodes.endpoints.length);
}

/**
 * Asks every node and returns as soon as a quorum agrees. Results are compared by their JSON, so they must be
 * brought into one form first.
 * @throws NoAgreement when no quorum can be reached any more
 */
export function agree<T, E>(nodes: Nodes<E>, what: string, read: (endpoint: E) => Promise<T>): Promise<T> {
  const quorum = quorumOf(nodes);
  return new Promise((resolve, reject) => {
    const votes = new Map<string, number>();
    let open = nodes.endpoints.length;
    const failures: unknown[] = [];
    let answered = 0;
    let settled = false;

    function closeOne(): void {
      open -= 1;
      if (settled || Math.max(0, ...votes.values()) + open >= quorum) return;
      settled = true;
      reject(noAgreement(nodes, answered >= quorum ? 'disagreement' : 'silence', what, failures));
    }

    for (const endpoint of nodes.endpoints) {
      read(endpoint).then(
        (answer) => {
          answered += 1;
          const form = formOf(answer);
          const count = (votes.get(form) ?? 0) + 1;
          votes.set(form, count);
          if (!settled && count >= quorum) {
            settled = true;
            resolve(answer);
          }
          closeOne();
        },
        (error: unknown) => {
          failures.push(error);
          closeOne();
        },
      );
    }
  });
}

function formOf(answer: unknown): string {
  return JSON.stringify(answer, (_key, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value)) ?? '';
}

/** Every node's result, missing ones left out; at least one. @throws NoAgreement when none responds */
export async function everyAnswer<T, E>(
  nodes: Nodes<E>,
  what: string,
  read: (endpoint: E) => Promise<T>,
): Promise<T[]> {
  const results = await Promise.allSettled(nodes.endpoints.map(read));
  const answers = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  if (answers.length === 0) throw noAgreement(nodes, 'silence', what, failures);
  return answers;
}

/** The quorum-th highest height, so that neither a node that lags nor one that exaggerates decides alone. @throws NoAgreement */
export async function agreedHead<E>(nodes: Nodes<E>, read: (endpoint: E) => Promise<number>): Promise<number> {
  const heights = await everyAnswer(nodes, 'head', read);
  const height = heights.sort((a, b) => b - a)[quorumOf(nodes) - 1];
  if (height === undefined) throw noAgreement(nodes, 'silence', 'head');
  return height;
}

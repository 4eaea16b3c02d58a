import type { Hex } from 'viem';
import * as z from 'zod/mini';
import type { Clock } from '../../../../platform/clock.ts';
import { agree, type Nodes } from '../../quorum.ts';
import { type Block, type InternalTransfer, NotTraced, type TraceProblem } from '../gateway.ts';
import type { RpcEndpoint } from './rpc-endpoint.ts';
import { TracingUnavailable, traceBlock, traceTransaction } from './traces.ts';

/**
 * Traces without ever overloading a node: one trace at a time, blocks only as large as the node has shown that it
 * can trace, transactions one by one above that, and a growing pause after each trace that did not come, since the node may
 * still be computing it. Traces only say where to look: what is credited is decided by balances (docs/adr/0043-…).
 */

export type Part = Pick<Block, 'height' | 'hash'>;

/** Transactions that a node is first trusted to trace in one call; grows while it answers quickly, halves when it does not. */
const firstLimit = 32;
const largestLimit = 10_000;
const longestPauseMs = 3_600_000;
const unavailablePauseMs = 600_000;
/** Blocks of which a part was traced, kept until the rest is. */
const maxUnfinished = 16;

/**
 * @param timeoutMs how long one trace is waited for, and how long one block may keep a node busy
 * @param clock tells when a node's pause is over
 */
export function createTraceReader(nodes: Nodes<RpcEndpoint>, timeoutMs: number, clock: Clock) {
  const tracers = new Map(nodes.endpoints.map((endpoint) => [endpoint, createNodeTracer(endpoint, timeoutMs, clock)]));

  return async (block: Part, opaque: readonly Hex[]): Promise<InternalTransfer[]> => {
    const what = `traces of block ${block.height}`;
    const problems: TraceProblem[] = [];
    try {
      return await agree(nodes, what, async (node) => {
        try {
          const tracer = tracers.get(node);
          return tracer ? await tracer(block, opaque) : [];
        } catch (error) {
          problems.push(problemOf(error));
          throw error;
        }
      });
    } catch {
      const order = ['slow', 'unfinished', 'unavailable'] as const;
      throw new NotTraced(order.find((problem) => problems.includes(problem)) ?? 'disagreement', what);
    }
  };
}

function problemOf(error: unknown): TraceProblem {
  if (error instanceof NotTraced) return error.problem;
  if (error instanceof TracingUnavailable) return 'unavailable';
  return error instanceof z.core.$ZodError ? 'disagreement' : 'slow';
}

type NodeTracer = (block: Part, opaque: readonly Hex[]) => Promise<InternalTransfer[]>;

function createNodeTracer(endpoint: RpcEndpoint, timeoutMs: number, clock: Clock): NodeTracer {
  /** What was traced of blocks that are too large for one call, by block and transaction. */
  const unfinished = new Map<string, Map<Hex, InternalTransfer[]>>();
  let limit = firstLimit;
  let failures = 0;
  let pausedUntil = 0;
  let pause: TraceProblem = 'slow';
  let turn: Promise<unknown> = Promise.resolve();

  async function bounded<T>(count: number, trace: () => Promise<T>): Promise<T> {
    if (clock.now().getTime() < pausedUntil) throw new NotTraced(pause, `node ${endpoint.name} is being left alone`);
    const began = Date.now();
    try {
      const traced = await trace();
      failures = 0;
      const took = Date.now() - began;
      if (count * 2 >= limit && took * 4 < timeoutMs) limit = Math.min(largestLimit, limit * 2);
      return traced;
    } catch (error) {
      pause = problemOf(error);
      if (pause === 'unavailable') pausedUntil = clock.now().getTime() + unavailablePauseMs;
      if (pause === 'slow') {
        pausedUntil = clock.now().getTime() + Math.min(longestPauseMs, timeoutMs * 2 ** failures);
        failures += 1;
        limit = Math.max(1, Math.floor(limit / 2));
      }
      throw error;
    }
  }

  async function oneByOne(block: Part, opaque: readonly Hex[]): Promise<InternalTransfer[]> {
    const done = unfinished.get(block.hash) ?? new Map<Hex, InternalTransfer[]>();
    const wasBegun = done.size > 0;
    unfinished.delete(block.hash);
    unfinished.set(block.hash, done);
    for (const oldest of unfinished.keys()) if (unfinished.size > maxUnfinished) unfinished.delete(oldest);
    const began = Date.now();
    for (const hash of opaque) {
      if (done.has(hash)) continue;
      if (Date.now() - began >= timeoutMs)
        throw new NotTraced('unfinished', `block ${block.height}, ${done.size} traced`);
      done.set(hash, await bounded(0, () => traceTransaction(endpoint, hash, timeoutMs)));
    }
    unfinished.delete(block.hash);
    // One call for all costs no more: for each transaction the node runs those before it too.
    if (!wasBegun && Date.now() - began < timeoutMs / 2) limit = Math.max(limit, opaque.length);
    return opaque.flatMap((hash) => done.get(hash) ?? []);
  }

  return (block, opaque) => {
    const work = () =>
      opaque.length <= limit
        ? bounded(opaque.length, () => traceBlock(endpoint, block, timeoutMs))
        : oneByOne(block, opaque);
    const mine = turn.then(work);
    turn = mine.catch(() => undefined);
    return mine;
  };
}

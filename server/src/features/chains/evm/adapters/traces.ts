import type { Hex } from 'viem';
import { getAddress } from 'viem/utils';
import * as z from 'zod/mini';
import { NodeRefusal } from '../../node-endpoint.ts';
import type { InternalTransfer } from '../gateway.ts';
import type { RpcEndpoint } from './rpc-endpoint.ts';

/** How a node's traces are asked for and read: geth's call frames, or the flat list of Erigon and Nethermind. */

interface Frame {
  type: string;
  from: string;
  to?: string | undefined;
  value?: string | undefined;
  error?: string | undefined;
  calls?: Frame[] | undefined;
}
const frame: z.ZodMiniType<Frame> = z.object({
  type: z.string(),
  from: z.string(),
  to: z.optional(z.string()),
  value: z.optional(z.string()),
  error: z.optional(z.string()),
  get calls() {
    return z.optional(z.array(frame));
  },
});
const callTraces = z.array(z.object({ txHash: z.string(), result: frame }));

const parityTraces = z.array(
  z.object({
    type: z.string(),
    action: z.object({
      from: z.optional(z.string()),
      to: z.optional(z.string()),
      value: z.optional(z.string()),
      callType: z.optional(z.string()),
      address: z.optional(z.string()),
      refundAddress: z.optional(z.string()),
      balance: z.optional(z.string()),
    }),
    error: z.optional(z.nullable(z.string())),
    traceAddress: z.array(z.number()),
    transactionHash: z.optional(z.nullable(z.string())),
  }),
);

/** These move value; a delegated call only repeats its caller's. */
const movingTypes = new Set(['CALL', 'CREATE', 'CREATE2', 'SELFDESTRUCT']);

/** No trace method is offered; internal transfers have to be found by balances. */
export class TracingUnavailable extends Error {}

/**
 * What contracts passed on in one block, by `debug_traceBlockByHash` (geth) or `trace_block` (Erigon, Nethermind).
 * Top-level transfers are not in it. `limitMs`: what the node itself is asked to spend on a transaction at the most.
 * @throws TracingUnavailable when the node offers neither
 */
export async function traceBlock(
  endpoint: RpcEndpoint,
  block: { hash: Hex; height: number },
  limitMs: number,
): Promise<InternalTransfer[]> {
  const byCalls = await offered(endpoint, 'debug_traceBlockByHash', [block.hash, callTracer(limitMs)]);
  if (byCalls !== undefined) return z.parse(callTraces, byCalls).flatMap((trace) => fromFrames(trace));
  const flat = await offered(endpoint, 'trace_block', [`0x${block.height.toString(16)}`]);
  if (flat !== undefined) return fromParity(z.parse(parityTraces, flat));
  throw new TracingUnavailable(`node ${endpoint.name} cannot trace`);
}

/** The same for one transaction, by `debug_traceTransaction` or `trace_transaction`. */
export async function traceTransaction(
  endpoint: RpcEndpoint,
  transactionHash: Hex,
  limitMs: number,
): Promise<InternalTransfer[]> {
  const byCalls = await offered(endpoint, 'debug_traceTransaction', [transactionHash, callTracer(limitMs)]);
  if (byCalls !== undefined) return fromFrames({ txHash: transactionHash, result: z.parse(frame, byCalls) });
  const flat = await offered(endpoint, 'trace_transaction', [transactionHash]);
  if (flat !== undefined) return fromParity(z.parse(parityTraces, flat));
  throw new TracingUnavailable(`node ${endpoint.name} cannot trace`);
}

const callTracer = (limitMs: number) => ({ tracer: 'callTracer', timeout: `${limitMs}ms` });

async function offered(endpoint: RpcEndpoint, method: string, params: readonly unknown[]): Promise<unknown> {
  try {
    return await endpoint.ask(method, params);
  } catch (error) {
    if (error instanceof NodeRefusal && error.isMissingMethod) return undefined;
    throw error;
  }
}

function fromFrames(trace: z.output<typeof callTraces>[number]): InternalTransfer[] {
  const found: InternalTransfer[] = [];
  const walk = (at: Frame, path: string): void => {
    // What failed was undone, with all that it called.
    if (at.error !== undefined) return;
    if (path !== '' && movingTypes.has(at.type)) add(found, trace.txHash, path, at.from, at.to, at.value);
    for (const [index, call] of (at.calls ?? []).entries()) walk(call, path === '' ? `${index}` : `${path}.${index}`);
  };
  walk(trace.result, '');
  return found;
}

function fromParity(traces: z.output<typeof parityTraces>): InternalTransfer[] {
  const failed = traces.filter((trace) => trace.error).map((trace) => keyOf(trace));
  const found: InternalTransfer[] = [];
  for (const trace of traces) {
    const { action, type, traceAddress, transactionHash } = trace;
    const path = traceAddress.join('.');
    if (path === '' || !transactionHash || failed.some((key) => `${keyOf(trace)}.`.startsWith(`${key}.`))) continue;
    if (type === 'call' && action.callType === 'call') {
      add(found, transactionHash, path, action.from, action.to, action.value);
    } else if (type === 'suicide') {
      add(found, transactionHash, path, action.address, action.refundAddress, action.balance);
    }
  }
  return found;
}

function keyOf(trace: z.output<typeof parityTraces>[number]): string {
  return [trace.transactionHash, ...trace.traceAddress].join('.');
}

function add(
  found: InternalTransfer[],
  transactionHash: string,
  path: string,
  from: string | undefined,
  to: string | undefined,
  value: string | undefined,
): void {
  const amountWei = value === undefined ? 0n : BigInt(value);
  if (amountWei === 0n || from === undefined || to === undefined) return;
  found.push({
    transactionHash: transactionHash.toLowerCase() as Hex,
    path,
    from: getAddress(from),
    to: getAddress(to),
    amountWei,
  });
}

import type { Address, Hex } from 'viem';
import { getAddress } from 'viem/utils';
import * as z from 'zod/mini';
import { NodeRefusal, type RpcEndpoint } from './rpc-endpoint.ts';

/** The chain's own coin as contracts passed it on, found in the traces of a block. */
export interface InternalTransfer {
  transactionHash: Hex;
  /** The way through the calls, `0.2.1`: the same wherever the transaction stands. */
  path: string;
  from: Address;
  to: Address;
  amountWei: bigint;
}

/** No trace method is offered; internal transfers have to be found by balances. */
export class TracingUnavailable extends Error {}

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
const methodMissing = new Set([-32601, -32600, -32004]);

/**
 * What contracts passed on in one block, by `debug_traceBlockByHash` (geth) or `trace_block` (Erigon, Nethermind).
 * Top-level transfers are not in it.
 * @throws TracingUnavailable when the node offers neither
 */
export async function internalTransfers(
  endpoint: RpcEndpoint,
  block: { hash: Hex; height: number },
): Promise<InternalTransfer[]> {
  const byCalls = await offered(endpoint, 'debug_traceBlockByHash', [block.hash, { tracer: 'callTracer' }]);
  if (byCalls !== undefined) return z.parse(callTraces, byCalls).flatMap((trace) => fromFrames(trace));
  const flat = await offered(endpoint, 'trace_block', [`0x${block.height.toString(16)}`]);
  if (flat !== undefined) return fromParity(z.parse(parityTraces, flat));
  throw new TracingUnavailable(`node ${endpoint.name} cannot trace`);
}

async function offered(endpoint: RpcEndpoint, method: string, params: readonly unknown[]): Promise<unknown> {
  try {
    return await endpoint.ask(method, params);
  } catch (error) {
    if (error instanceof NodeRefusal && isMissing(error)) return undefined;
    throw error;
  }
}

function isMissing(error: NodeRefusal): boolean {
  return methodMissing.has(error.code) || /not (found|available|supported|exist)|unsupported/i.test(error.message);
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

import { Counter, Histogram } from 'prom-client';
import type { RpcRequestError } from 'viem';
import type { EvmChainConfig } from '../../../../platform/config/chains.ts';
import { registry } from '../../../../platform/process/metrics.ts';

/** A node's own refusal (JSON-RPC 2.0, error object), as against no answer at all. */
export class NodeRefusal extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.name = 'NodeRefusal';
    this.code = code;
  }

  /** Whether the node does not offer the method at all. */
  get isMissingMethod(): boolean {
    return missingCodes.has(this.code) || /method.* not |not (available|supported)|unsupported/i.test(this.message);
  }
}

const missingCodes = new Set([-32601, -32600, -32004]);

/** A node of another network than the configuration says. */
class WrongChain extends Error {}

/** One JSON-RPC node of a chain. */
export interface RpcEndpoint {
  /** Its place in the configuration; its address may hold a key and is never logged. */
  readonly name: string;
  /** @throws NodeRefusal when the node says no; WrongChain; another error when it does not answer in time */
  ask(method: string, params: readonly unknown[]): Promise<unknown>;
}

const duration = new Histogram({
  name: 'causeway_rpc_seconds',
  help: 'Duration of calls to chain nodes',
  labelNames: ['chain', 'node', 'outcome'],
  registers: [registry],
});
const resting = new Counter({
  name: 'causeway_rpc_rests_total',
  help: 'How often a chain node was left alone after failing',
  labelNames: ['chain', 'node'],
  registers: [registry],
});

const failuresBeforeRest = 3;
const shortestRestMs = 250;
const longestRestMs = 4000;
const maxBatch = 100;

/** Responses of megabytes: each in a request of its own, so that none waits for the others' time. */
const largeAnswers = new Set(['eth_getBlockByNumber', 'eth_getBlockReceipts', 'eth_getLogs']);
const isTrace = (method: string): boolean => /^(debug_)?trace_?/.test(method);

/**
 * A node that fails three times running is left alone for a while, doubling up to 4 s, so that a dead or slow node
 * does not hold up every call; the first call after the rest finds out whether it is back. Before it is believed, and
 * whenever it has been away, it is asked which chain it serves (EIP-695): an address that leads to another network would
 * credit deposits of coins that are worth nothing. A trace that does not come says nothing about the node's other results.
 */
export function createRpcEndpoint(
  { id: chain, chainId, rpcTimeoutMs: timeoutMs }: Pick<EvmChainConfig, 'id' | 'chainId' | 'rpcTimeoutMs'>,
  name: string,
  url: string,
): RpcEndpoint {
  // The whole library, which only the process that asks nodes needs; the others get by with its utilities.
  const library = import('viem');
  const options = { timeout: timeoutMs, retryCount: 0 };
  const batching = library.then(({ http }) => http(url, { ...options, batch: { batchSize: maxBatch, wait: 0 } })({}));
  const single = library.then(({ http }) => http(url, options)({}));
  let failures = 0;
  let restsUntil = 0;
  let identified: Promise<void> | null = null;

  function failed(): void {
    identified = null;
    failures += 1;
    if (failures < failuresBeforeRest) return;
    restsUntil = Date.now() + Math.min(longestRestMs, shortestRestMs * 2 ** (failures - failuresBeforeRest));
    resting.inc({ chain, node: name });
  }

  async function identify(): Promise<void> {
    const served = await request('eth_chainId', []);
    if (Number(served) === chainId) return;
    failed();
    throw new WrongChain(`node ${name} of ${chain} serves chain ${Number(served)}, not ${chainId}`);
  }

  async function request(method: string, params: readonly unknown[]): Promise<unknown> {
    const end = duration.startTimer({ chain, node: name });
    try {
      const transport = await (largeAnswers.has(method) || isTrace(method) ? single : batching);
      const result = await transport.request({ method, params });
      failures = 0;
      end({ outcome: 'answered' });
      return result;
    } catch (error) {
      const refusal = refusalOf(error, (await library).RpcRequestError);
      if (refusal) {
        failures = 0;
        end({ outcome: 'refused' });
        throw refusal;
      }
      if (!isTrace(method)) failed();
      end({ outcome: 'failed' });
      // The transport's own error names the address, which may hold a key.
      throw new Error(`node ${name} of ${chain} did not answer ${method}`);
    }
  }

  return {
    name,
    async ask(method, params) {
      if (Date.now() < restsUntil) throw new Error(`node ${name} of ${chain} is resting after failures`);
      identified ??= identify();
      await identified.catch((error: unknown) => {
        identified = null;
        throw error;
      });
      return request(method, params);
    },
  };
}

function refusalOf(error: unknown, Refusal: typeof RpcRequestError): NodeRefusal | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof Refusal) return new NodeRefusal(cause.code, cause.details);
  }
  return null;
}

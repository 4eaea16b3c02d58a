import type { RpcRequestError } from 'viem';
import type { EvmChainConfig } from '../../../../platform/config/chains.ts';
import { createNodeRest, NodeRefusal, WrongChain } from '../../node-endpoint.ts';

/** One JSON-RPC node of a chain. */
export interface RpcEndpoint {
  /** Its place in the configuration; its address may hold a key and is never logged. */
  readonly name: string;
  /** @throws NodeRefusal when the node says no; WrongChain; another error when it does not answer in time */
  ask(method: string, params: readonly unknown[]): Promise<unknown>;
}

const maxBatch = 100;

/** Responses of megabytes: each in a request of its own, so that none waits for the others' time. */
const largeAnswers = new Set(['eth_getBlockByNumber', 'eth_getBlockReceipts', 'eth_getLogs']);
const isTrace = (method: string): boolean => /^(debug_)?trace_?/.test(method);

/**
 * Before a node is believed, and whenever it has been away, it is asked which chain it serves (EIP-695): an address that leads to another
 * network would credit deposits of coins that are worth nothing. A trace that does not come says nothing about the node's other results.
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
  const rest = createNodeRest(chain, name);

  async function identify(): Promise<void> {
    const served = await request('eth_chainId', []);
    if (Number(served) === chainId) return;
    rest.failed();
    throw new WrongChain(`node ${name} of ${chain} serves chain ${Number(served)}, not ${chainId}`);
  }

  async function request(method: string, params: readonly unknown[]): Promise<unknown> {
    const end = rest.time();
    try {
      const transport = await (largeAnswers.has(method) || isTrace(method) ? single : batching);
      const result = await transport.request({ method, params });
      rest.answered();
      end('answered');
      return result;
    } catch (error) {
      const refusal = refusalOf(error, (await library).RpcRequestError);
      if (refusal) {
        rest.answered();
        end('refused');
        throw refusal;
      }
      if (!isTrace(method)) rest.failed();
      end('failed');
      // The transport's own error names the address, which may hold a key.
      throw new Error(`node ${name} of ${chain} did not answer ${method}`);
    }
  }

  return {
    name,
    async ask(method, params) {
      rest.refuseWhileResting();
      await rest.identified(identify);
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

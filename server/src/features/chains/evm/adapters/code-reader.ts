import type { AddressCode } from '@causeway/contract/payees.ts';
import type { Address } from 'viem';
import type { EvmChainConfig } from '../../../../platform/config/chains.ts';
import { NodeRefusal } from '../../node-endpoint.ts';
import { everyAnswer, type Nodes } from '../../quorum.ts';
import { readCode } from './answers.ts';
import { createRpcEndpoint, type RpcEndpoint } from './rpc-endpoint.ts';

/** What is at an address of a chain. `unknown` when no node says so in time: it is a hint for people, and decides nothing. */
export type CodeReader = (chainId: string, address: string) => Promise<AddressCode>;

type CodeChain = Pick<EvmChainConfig, 'id' | 'chainId' | 'rpcUrls'>;

/** A form waits for it. */
const timeoutMs = 1500;
const rememberedMs = 60_000;
const mostRemembered = 1000;

/** An account that lends itself code (EIP-7702) remains an ordinary account of its key's holder. */
const delegation = /^0xef0100[0-9a-f]{40}$/;

/**
 * Asks the nodes, which are connected to when the first address is asked about; keeps results for a minute.
 * @param codeless the chains whose addresses are never contracts
 */
export function createCodeReader(chains: readonly CodeChain[], codeless: readonly string[]): CodeReader {
  const nodesOf = new Map<string, Nodes<RpcEndpoint>>();
  const remembered = new Map<string, { until: number; code: Promise<AddressCode> }>();

  function nodes(chain: CodeChain): Nodes<RpcEndpoint> {
    const known = nodesOf.get(chain.id);
    if (known) return known;
    const endpoints = chain.rpcUrls.map((url, index) =>
      createRpcEndpoint({ ...chain, rpcTimeoutMs: timeoutMs }, `${index + 1}`, url),
    );
    const made = { chain: chain.id, endpoints };
    nodesOf.set(chain.id, made);
    return made;
  }

  return async (chainId, address) => {
    if (codeless.includes(chainId)) return 'none';
    const chain = chains.find(({ id }) => id === chainId);
    if (!chain) return 'unknown';
    const key = `${chainId}/${address}`;
    const known = remembered.get(key);
    if (known && known.until > Date.now()) return known.code;
    const code = whatIsAt(nodes(chain), address as Address).catch((): AddressCode => 'unknown');
    remembered.delete(key);
    remembered.set(key, { until: Date.now() + rememberedMs, code });
    for (const oldest of remembered.keys()) if (remembered.size > mostRemembered) remembered.delete(oldest);
    // What could not be found out is asked again the next time.
    if ((await code) === 'unknown') remembered.delete(key);
    return code;
  };
}

/** One node that knows of code is enough for a warning. */
async function whatIsAt(nodes: Nodes<RpcEndpoint>, address: Address): Promise<AddressCode> {
  const answers = await everyAnswer(nodes, `code of ${address}`, async (node) => {
    const code = readCode(await node.ask('eth_getCode', [address, 'latest']));
    if (code === '0x' || delegation.test(code)) return 'none';
    return (await isToken(node, address)) ? 'token' : 'contract';
  });
  return (['token', 'contract'] as const).find((kind) => answers.includes(kind)) ?? 'none';
}

/** Whether it responds as tokens do (EIP-20): `totalSupply()` and `decimals()`, a word each. */
async function isToken(node: RpcEndpoint, address: Address): Promise<boolean> {
  try {
    const [supply, decimals] = await Promise.all(
      ['0x18160ddd', '0x313ce567'].map(async (data) =>
        readCode(await node.ask('eth_call', [{ to: address, data }, 'latest'])),
      ),
    );
    return supply?.length === 66 && decimals?.length === 66 && BigInt(decimals) <= 255n;
  } catch (error) {
    if (error instanceof NodeRefusal) return false;
    throw error;
  }
}

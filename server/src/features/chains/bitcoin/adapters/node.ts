import type { BitcoinChainConfig, BitcoinNetwork } from '../../../../platform/config/chains.ts';
import { request } from '../../../../platform/http/request.ts';
import { createNodeRest, NodeRefusal, type NodeRest, WrongChain } from '../../node-endpoint.ts';
import type { FeeEstimates, Outpoint } from '../gateway.ts';

/**
 * The port to one node, in whichever protocol it speaks. What it sends as bytes is checked against its hash by the caller; everything
 * else is one node's word. Rejects with `NodeRefusal` when the node says no, and with another error when it does not answer in time.
 */
export interface BitcoinNode {
  /** Its place in the configuration; its address may hold a password and is never logged. */
  readonly name: string;
  head(): Promise<number>;
  /** Null when the chain is not that high. */
  blockHash(height: number): Promise<string | null>;
  header(hash: string): Promise<Uint8Array | null>;
  block(hash: string): Promise<Uint8Array | null>;
  /** A transaction of a block or of the mempool. */
  transaction(hash: string): Promise<NodeTransaction | null>;
  /** The bytes of transactions in hexadecimal, in the order of the hashes; null for one that the node does not have. */
  transactionBytes(hashes: readonly string[]): Promise<(string | null)[]>;
  /** The ids of the transactions that wait for a block. */
  waiting(): Promise<string[]>;
  /** Whether a block has the output and no block spends it. */
  isUnspent(outpoint: Outpoint): Promise<boolean>;
  /** The transaction of a block that spends an output. */
  spender(outpoint: Outpoint): Promise<Spender | null>;
  /** Every output of the addresses that the blocks up to one leave unspent. */
  unspent(addresses: readonly string[]): Promise<UnspentOutputs>;
  /** Offers bytes in hexadecimal. That it resolves says nothing of whether the node has kept the transaction. */
  submit(raw: string): Promise<void>;
  estimates(): Promise<FeeEstimates>;
}

export interface PlaceInChain {
  hash: string;
  height: number;
}

export interface NodeTransaction {
  /** The bytes in hexadecimal. */
  hex: string;
  /** The block of the best chain that has it; null while it waits. */
  block: PlaceInChain | null;
}

export interface Spender {
  hash: string;
  height: number;
  blockHash: string;
}

export interface UnspentOutputs {
  /** The block up to which the outputs are unspent. */
  at: PlaceInChain;
  outputs: readonly (Outpoint & { address: string; amountMinor: bigint; height: number })[];
}

/** The first block of each network; those of the third and the fourth test network are both taken for `test`. */
export const firstBlocks: Readonly<Record<BitcoinNetwork, readonly string[]>> = {
  main: ['000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f'],
  test: [
    '000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943',
    '00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043',
  ],
  signet: ['00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6'],
  regtest: ['0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206'],
};

export type NodeConfig = Pick<BitcoinChainConfig, 'id' | 'network' | 'nodeTimeoutMs'>;

/** A block of 4 MB in hexadecimal, or the ids of a full mempool, with room to spare. */
const largestAnswerBytes = 64 * 1024 * 1024;

export interface NodeRequest {
  path: string;
  method?: 'GET' | 'POST';
  body?: string;
  headers?: Readonly<Record<string, string>>;
  /** Where the configured time is not enough. */
  timeoutMs?: number;
}

export interface NodeResponse {
  status: number;
  bytes: Buffer;
}

export interface NodeHttp {
  /**
   * `read` judges the response: a `NodeRefusal` that it throws is the node's word, any other error counts as no answer.
   * @param what names the call in errors
   */
  send<T>(what: string, request: NodeRequest, read: (response: NodeResponse) => T): Promise<T>;
  rest: NodeRest;
}

/** HTTP to a node; user and password of the address travel as a header, and none of it is in an error. */
export function createNodeHttp({ id: chain, nodeTimeoutMs }: NodeConfig, name: string, url: string): NodeHttp {
  const rest = createNodeRest(chain, name);
  const { username, password, origin, pathname } = new URL(url);
  const base = `${origin}${pathname.replace(/\/$/, '')}`;
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64');
  const authorisation = username === '' ? {} : { authorization: `Basic ${credentials}` };
  return {
    rest,
    async send(what, { path, method = 'GET', body, headers = {}, timeoutMs = nodeTimeoutMs }, read) {
      const end = rest.time();
      try {
        const { status, bytes } = await request(`${base}${path}`, {
          method,
          ...(body === undefined ? {} : { body }),
          headers: { ...headers, ...authorisation },
          timeoutMs,
          maxBytes: largestAnswerBytes,
        });
        const result = read({ status, bytes });
        rest.answered();
        end('answered');
        return result;
      } catch (error) {
        if (error instanceof NodeRefusal) {
          rest.answered();
          end('refused');
          throw error;
        }
        rest.failed();
        end('failed');
        throw new Error(`node ${name} of ${chain} did not answer ${what}`);
      }
    },
  };
}

/**
 * Before a node is believed, and whenever it has been away, its first block says which network it serves: an address that leads to
 * another one would credit deposits of coins that are worth nothing.
 * @throws WrongChain
 */
export async function identify(
  { id, network }: NodeConfig,
  name: string,
  rest: NodeRest,
  readFirstHash: () => Promise<string | null>,
): Promise<void> {
  const first = await readFirstHash();
  if (first !== null && firstBlocks[network].includes(first)) return;
  rest.failed();
  throw new WrongChain(
    `node ${name} of ${id} does not serve the network ${network}: its first block is ${first ?? 'missing'}`,
  );
}

import type { BitcoinChainConfig } from '../../../../platform/config/chains.ts';
import type { Receipt } from '../../gateway.ts';
import { agree, agreedHead, everyAnswer } from '../../quorum.ts';
import { type BitcoinGateway, type FeeEstimates, outpointKey } from '../gateway.ts';
import { asTransaction, isCoinbase, readTransactionOf } from '../transactions.ts';
import { balancesAt } from './balances.ts';
import { broadcast } from './broadcast.ts';
import { readContents } from './contents.ts';
import { createCoreNode } from './core.ts';
import { createEsploraNode } from './esplora.ts';
import { createMempoolReader, createPendingReader } from './mempool.ts';
import type { BitcoinNode, PlaceInChain } from './node.ts';
import { feeOf } from './own-inputs.ts';
import { agreedHash, type BitcoinNodes, createTransactionSource, headerOf, type TransactionSource } from './sources.ts';

export type GatewayConfig = Pick<BitcoinChainConfig, 'id' | 'network' | 'nodes' | 'nodeTimeoutMs'>;

const protocols = { core: createCoreNode, esplora: createEsploraNode };

export function createNodes(config: GatewayConfig): BitcoinNode[] {
  return config.nodes.map(({ protocol, url }, index) => protocols[protocol](config, `${index + 1}`, url));
}

/** The gateway to one Bitcoin chain through its configured nodes. */
export function createBitcoinGateway(config: GatewayConfig): BitcoinGateway {
  const { network } = config;
  const nodes: BitcoinNodes = { chain: config.id, endpoints: createNodes(config) };
  const source = createTransactionSource(nodes);
  const reading = { nodes, network, source };
  const head = () => agreedHead(nodes, (node) => node.head());

  return {
    chainId: config.id,
    head,
    async block(height) {
      const hash = await agreedHash(nodes, height);
      return hash === null ? null : { height, hash, parentHash: (await headerOf(nodes, hash)).parentHash };
    },
    async blockTime(height) {
      const hash = await agreedHash(nodes, height);
      return hash === null ? null : (await headerOf(nodes, hash)).time;
    },
    contents: (from, to, own) => readContents(reading, from, to, own),
    receipt: (hash) => readReceipt(nodes, source, hash),
    async balance(contract, address, height) {
      if (contract !== null) return 0n;
      const [minor = 0n] = await balancesAt(reading, [address], height);
      return minor;
    },
    balances: (addresses, height) => balancesAt(reading, addresses, height),
    pending: createPendingReader(reading),
    answers: () =>
      head().then(
        () => true,
        () => false,
      ),
    broadcast: (raw) => broadcast(nodes, raw),
    mempool: createMempoolReader(reading),
    async transaction(hash) {
      const { hex, block } = await readPlace(nodes, hash);
      if (hex === null) return null;
      const transaction = asTransaction(readTransactionOf(hash, hex), network);
      if (block === null) return { transaction, block };
      return { transaction, block: { ...block, parentHash: (await headerOf(nodes, block.hash)).parentHash } };
    },
    spender: (outpoint) => agree(nodes, `spender of ${outpointKey(outpoint)}`, (node) => node.spender(outpoint)),
    isUnspent: (outpoint) => agree(nodes, `output ${outpointKey(outpoint)}`, (node) => node.isUnspent(outpoint)),
    feeEstimates: () => readEstimates(nodes),
  };
}

/**
 * The bytes of a transaction, which any node may send since their hash is compared, and the block in which a quorum sees it.
 * @throws NoAgreement
 */
async function readPlace(
  nodes: BitcoinNodes,
  hash: string,
): Promise<{ hex: string | null; block: PlaceInChain | null }> {
  const sent: string[] = [];
  const block = await agree(nodes, `transaction ${hash}`, async (node) => {
    const found = await node.transaction(hash);
    if (found === null) return null;
    readTransactionOf(hash, found.hex);
    sent.push(found.hex);
    return found.block;
  });
  return { hex: sent[0] ?? null, block };
}

async function readReceipt(nodes: BitcoinNodes, source: TransactionSource, hash: string): Promise<Receipt | null> {
  const { hex, block } = await readPlace(nodes, hash);
  if (hex === null || block === null) return null;
  const transaction = readTransactionOf(hash, hex);
  const fee = isCoinbase(transaction)
    ? 0n
    : feeOf(transaction, await source.all(transaction.inputs.map((input) => input.hash)));
  return { height: block.height, blockHash: block.hash, succeeded: true, networkFeeMinor: fee ?? 0n };
}

/** The highest, so that no node alone makes a payment wait; the configured ceiling bounds what it costs. */
async function readEstimates(nodes: BitcoinNodes): Promise<FeeEstimates> {
  const estimates = await everyAnswer(nodes, 'fees', (node) => node.estimates());
  const highest = (rates: readonly (number | null)[]) => {
    const known = rates.filter((rate) => rate !== null);
    return known.length === 0 ? null : Math.max(...known);
  };
  return {
    urgent: highest(estimates.map(({ urgent }) => urgent)),
    normal: highest(estimates.map(({ normal }) => normal)),
    economy: highest(estimates.map(({ economy }) => economy)),
    minimum: Math.max(...estimates.map(({ minimum }) => minimum)),
  };
}

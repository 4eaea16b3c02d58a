import type { Block, ChainGateway, OwnAddresses } from '../gateway.ts';

/** What a Bitcoin chain answers beside what every chain does. Amounts in satoshis, fee rates in satoshis per virtual byte. */

/** An output, by its transaction's id and its position. */
export interface Outpoint {
  hash: string;
  index: number;
}

/** The form that `bitcoin_output` and deposits have: `<txid>:<vout>`. */
export const outpointKey = ({ hash, index }: Outpoint): string => `${hash}:${index}`;

/** So many of a transaction's inputs are named with what it brings: one that another transaction has spent shows that it can be in no block. */
const needsNamed = 20;
/** What a transaction spends, as an arrival names it; nothing of a coinbase. */
export function needsOf(inputs: readonly Outpoint[]): string[] {
  return inputs.slice(0, needsNamed).map(outpointKey);
}

export interface BitcoinOutput {
  /** Null where the script is no address (data, bare keys, unknown versions). */
  address: string | null;
  amountMinor: bigint;
  /** Hexadecimal. */
  script: string;
}

/** A transaction as bytes say it: what it spends is only named. */
export interface BitcoinTransaction {
  /** The txid, as explorers show it. */
  hash: string;
  inputs: readonly (Outpoint & {
    /** BIP 125: below 0xfffffffe another transaction may take its place. */
    sequence: number;
    /** The P2WPKH address whose key the witness shows; null for every other kind of input. */
    address: string | null;
  })[];
  outputs: readonly BitcoinOutput[];
  vsize: number;
}

/** What waits for a block and touches addresses of ours. */
export interface WaitingTransaction {
  transaction: BitcoinTransaction;
  /** What the miner gets; null where no node says what is spent. */
  feeMinor: bigint | null;
  /** Signals replacement itself, or through an ancestor that waits (BIP 125). */
  isReplaceable: boolean;
  /** Fee and size together with the ancestors that wait, by which miners choose; equal to its own where it has none. */
  ancestorFeeMinor: bigint;
  ancestorVsize: number;
}

export interface MempoolView {
  /** Every transaction that waits at a node and touches addresses of ours. */
  waiting: readonly WaitingTransaction[];
  /** Whether enough nodes answered for an absence to mean something. */
  hasQuorum: boolean;
}

/** Satoshis per virtual byte for a block within so many blocks; null while the nodes know too little. */
export interface FeeEstimates {
  /** Within 1 block. */
  urgent: number | null;
  /** Within 6 blocks. */
  normal: number | null;
  /** Within 144 blocks. */
  economy: number | null;
  /** Below this the nodes take nothing (`mempoolminfee`, `minrelaytxfee`, the greater). */
  minimum: number;
}

export interface BitcoinGateway extends ChainGateway {
  /** Like `balance`, of many addresses for the price of one, in their order: a node may read its whole set of outputs for it. @throws NoAgreement */
  balances(addresses: readonly string[], height: number): Promise<bigint[]>;
  /** Reads the mempool of each node. Transactions that were read before are not fetched again. */
  mempool(own: OwnAddresses): Promise<MempoolView>;
  /** A transaction that a block or a mempool has; null when no node knows it. @throws NoAgreement */
  transaction(hash: string): Promise<{ transaction: BitcoinTransaction; block: Block | null } | null>;
  /** The transaction that a block has and that spends an output; null when none has. @throws NoAgreement */
  spender(outpoint: Outpoint): Promise<{ hash: string; height: number; blockHash: string } | null>;
  /** Whether a block has the output and no block spends it, by the nodes' set of outputs. @throws NoAgreement */
  isUnspent(outpoint: Outpoint): Promise<boolean>;
  /** The highest estimate of the nodes that answered. @throws NoAgreement when none did */
  feeEstimates(): Promise<FeeEstimates>;
}

/** Whether a chain's gateway is of this family. */
export function isBitcoinGateway(gateway: ChainGateway): gateway is BitcoinGateway {
  return 'mempool' in gateway;
}

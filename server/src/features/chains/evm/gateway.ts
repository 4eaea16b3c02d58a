import type { Address, Hex } from 'viem';
import type * as general from '../gateway.ts';
import type { ChainGateway, OwnAddresses } from '../gateway.ts';

/** The port to one EVM chain: what every chain answers, and nonces, gas, logs and traces (EIP-1559, EIP-20). */

export interface Block extends general.Block {
  hash: Hex;
  parentHash: Hex;
}

export interface Arrival extends general.Arrival {
  hash: Hex;
  /** EIP-55. */
  contract: Address | null;
  from: Address | null;
  to: Address;
}

/** A transaction that an address of ours sent, or by which a listed token left an address of ours. */
export interface Departure extends general.Departure {
  hash: Hex;
  from: Address;
}

export interface BlockContent extends general.BlockContent {
  block: Block;
  transactionHashes: readonly Hex[];
  /** What logs and plain transfers brought. What contracts passed on is not among it: only traces and balances show that. */
  arrivals: readonly Arrival[];
  departures: readonly Departure[];
  /** How many of the transactions ran code that may have passed the chain's own coin on. */
  opaqueTransactions: number;
}

/** The chain's own coin as a contract passed it on inside a transaction. */
export interface InternalTransfer {
  transactionHash: Hex;
  /** The way through the calls, `0.2.1`: the same whichever block has the transaction. */
  path: string;
  from: Address;
  to: Address;
  amountWei: bigint;
}

/**
 * Why a block was not traced. unavailable: too few nodes offer a trace method. slow: no answer in time, or the nodes are
 * being left alone after one that was not. unfinished: a part was traced within the time allowed; asking again goes on from
 * there. disagreement: the nodes contradict each other.
 */
export type TraceProblem = 'unavailable' | 'slow' | 'unfinished' | 'disagreement';

export class NotTraced extends Error {
  readonly problem: TraceProblem;

  constructor(problem: TraceProblem, what: string) {
    super(`${what}: ${problem}`);
    this.name = 'NotTraced';
    this.problem = problem;
  }
}

export interface TokenTransfer {
  /** Position among the logs of its transaction, from 0. */
  index: number;
  contract: Address;
  from: Address;
  to: Address;
  amountMinor: bigint;
}

/** Network fee in wei. */
export interface Receipt extends general.Receipt {
  blockHash: Hex;
  tokenTransfers: readonly TokenTransfer[];
}

/** A transaction as its sender signed it. Value in wei, gas in units, fees in wei per gas. */
export interface ChainTransaction {
  hash: Hex;
  from: Address;
  nonce: number;
  /** Null where it makes a contract. */
  to: Address | null;
  valueWei: bigint;
  /** The token transfer (EIP-20) that it calls for; null when it calls for something else. */
  tokenCall: { contract: Address; to: Address; amountMinor: bigint } | null;
  gasLimit: bigint;
  maxFeePerGas: bigint;
  maxPriorityFeePerGas: bigint;
  /** The signed bytes; null unless it is an EIP-1559 transaction, the only kind that our signer makes. */
  raw: Hex | null;
}

/** EIP-1559, wei per gas. */
export interface Fees {
  maxFeePerGas: bigint;
  maxPriorityFeePerGas: bigint;
}

/** A payment as it will be on the chain, for estimating. */
export interface Payment {
  from: Address;
  to: Address;
  /** Null for the chain's own coin. */
  contract: Address | null;
  amountMinor: bigint;
}

export interface EvmGateway extends ChainGateway {
  block(height: number): Promise<Block | null>;
  contents(fromHeight: number, toHeight: number, own: OwnAddresses): Promise<BlockContent[]>;
  receipt(hash: string): Promise<Receipt | null>;
  /**
   * What contracts passed on in one block, by traces: one block at a time, within a bound of time and number.
   * @throws NotTraced; NoAgreement when the block itself cannot be read
   */
  internalTransfers(block: Pick<Block, 'height' | 'hash'>): Promise<InternalTransfer[]>;
  /**
   * By how much the chain's own coin of each address grew in one block beyond what the block's plain transactions explain,
   * in wei, in the order of the addresses.
   */
  unexplainedGrowth(block: Pick<Block, 'height' | 'hash'>, addresses: readonly Address[]): Promise<bigint[]>;
  /** The chain's own coin of each address at the end of a block, in wei. */
  nativeBalances(addresses: readonly Address[], height: number): Promise<bigint[]>;
  /** Null when no node of the quorum knows the transaction. */
  transaction(hash: Hex): Promise<ChainTransaction | null>;
  /** How many transactions of this address are in the blocks up to a height. */
  minedNonce(address: Address, height: number): Promise<number>;
  /** The highest count of the address's transactions that any node gives by now, and whether a quorum answered. */
  highestNonce(address: Address): Promise<{ count: number; hasQuorum: boolean }>;
  /** The same with the transactions that a node has and no block has yet. */
  highestPendingNonce(address: Address): Promise<{ count: number; hasQuorum: boolean }>;
  /** The decimals that a token's contract states. */
  tokenDecimals(contract: Address): Promise<number>;
  /** Gas units with a margin; `reverts` when the chain would refuse the payment. */
  estimateGas(payment: Payment): Promise<bigint | 'reverts'>;
  fees(): Promise<Fees>;
}

/** Whether a chain's gateway is of this family. */
export function isEvmGateway(gateway: ChainGateway): gateway is EvmGateway {
  return 'minedNonce' in gateway;
}

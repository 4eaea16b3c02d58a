import type { Address, Hex } from 'viem';

/**
 * The port to one chain. Answers that money depends on are given only when enough of the chain's nodes say the same;
 * otherwise the call rejects with `NoAgreement` and the caller waits: nothing is guessed.
 */

/** Too few nodes answered (`silence`) or they contradict each other (`disagreement`). */
export class NoAgreement extends Error {
  readonly reason: 'silence' | 'disagreement';

  constructor(reason: 'silence' | 'disagreement', what: string) {
    super(`${what}: ${reason === 'silence' ? 'too few nodes answered' : 'the nodes contradict each other'}`);
    this.name = 'NoAgreement';
    this.reason = reason;
  }
}

export interface Block {
  height: number;
  hash: Hex;
  parentHash: Hex;
}

/** Value that reached an address of ours. */
export interface Arrival {
  /** The transaction's hash; the block's for `balance:` outputs, whose transaction is not known. */
  hash: Hex;
  /**
   * Names the output within its transaction, the same in whichever block it is: `log:2`, `native`, `internal:0.1`. Or
   * `balance:<address>`: by how much the address grew in the block beyond all that is known (docs/adr/0043-…).
   */
  output: string;
  /** The token's contract; null for the chain's own coin. */
  contract: Address | null;
  from: Address | null;
  to: Address;
  amountMinor: bigint;
}

/** A transaction that an address of ours sent, or by which a listed token left an address of ours. */
export interface Departure {
  hash: Hex;
  /** The address of ours. */
  from: Address;
}

export interface BlockContent {
  block: Block;
  transactionHashes: readonly Hex[];
  /** What logs and plain transfers brought. What contracts passed on is not among it: only traces and balances show that. */
  arrivals: readonly Arrival[];
  /** How many of the transactions ran code that may have passed the chain's own coin on. */
  opaqueTransactions: number;
  departures: readonly Departure[];
}

/** Which addresses are ours; asked for each range of blocks, because new ones are opened all the time. */
export interface OwnAddresses {
  among(addresses: readonly Address[]): Promise<ReadonlySet<string>>;
}

/** The chain's own coin as a contract passed it on inside a transaction. */
export interface InternalTransfer {
  transactionHash: Hex;
  /** The way through the calls, `0.2.1`: the same wherever the transaction stands. */
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

export interface Receipt {
  height: number;
  blockHash: Hex;
  succeeded: boolean;
  /** What the network took, in wei. */
  costWei: bigint;
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

/**
 * accepted: a node took it. known: the nodes have it already. nonceUsed: a block has a transaction with its nonce, this
 * one or another. rejected: every node refuses it. unknown: some node's answer is missing, so the chain has to be asked
 * later.
 */
export type Broadcast =
  | { outcome: 'accepted' | 'known' | 'nonceUsed' | 'unknown' }
  | {
      outcome: 'rejected';
      reason: string;
    };

export interface ChainGateway {
  readonly chainId: string;
  /** The height that enough nodes have reached. */
  head(): Promise<number>;
  /** Null when the chain is not that high. */
  block(height: number): Promise<Block | null>;
  /** The blocks of a range, linked to one another, with what they brought to addresses of ours. Never traces. */
  contents(fromHeight: number, toHeight: number, own: OwnAddresses): Promise<BlockContent[]>;
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
  /** Null when no block has the transaction. */
  receipt(hash: Hex): Promise<Receipt | null>;
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
  /** Minor units at the end of a block. */
  balance(contract: Address | null, address: Address, height: number): Promise<bigint>;
  /** The decimals that a token's contract states. */
  tokenDecimals(contract: Address): Promise<number>;
  /** Gas units with a margin; `reverts` when the chain would refuse the payment. */
  estimateGas(payment: Payment): Promise<bigint | 'reverts'>;
  fees(): Promise<Fees>;
  /** Hands signed bytes to every node. Never rejects. */
  broadcast(raw: Hex): Promise<Broadcast>;
}

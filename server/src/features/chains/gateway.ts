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
  /** The transaction's hash; the block's where a balance grew and no transaction says why. */
  hash: Hex;
  /** Names the output within its transaction, the same in whichever block it stands: `log:2`, `native`, `internal:0.1`. */
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
  arrivals: readonly Arrival[];
  departures: readonly Departure[];
}

/** Which addresses are ours; asked for each range of blocks, because new ones are opened all the time. */
export interface OwnAddresses {
  among(addresses: readonly Address[]): Promise<ReadonlySet<string>>;
  /** Every one, for chains whose nodes cannot trace. */
  all(): Promise<readonly Address[]>;
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
  /** The blocks of a range, linked to one another, with what they brought to addresses of ours. */
  contents(fromHeight: number, toHeight: number, own: OwnAddresses): Promise<BlockContent[]>;
  /** Null when no block has the transaction. */
  receipt(hash: Hex): Promise<Receipt | null>;
  /** Null when no node of the quorum knows the transaction. */
  transaction(hash: Hex): Promise<ChainTransaction | null>;
  /** How many transactions of this address are in the blocks up to a height. */
  minedNonce(address: Address, height: number): Promise<number>;
  /** The highest count of the address's transactions that any node gives by now, and whether a quorum answered. */
  highestNonce(address: Address): Promise<{ count: number; hasQuorum: boolean }>;
  /** Minor units at the end of a block. */
  balance(contract: Address | null, address: Address, height: number): Promise<bigint>;
  /** Gas units with a margin; `reverts` when the chain would refuse the payment. */
  estimateGas(payment: Payment): Promise<bigint | 'reverts'>;
  fees(): Promise<Fees>;
  /** Hands signed bytes to every node. Never rejects. */
  broadcast(raw: Hex): Promise<Broadcast>;
}

/**
 * The port to one chain of any family. Answers that money depends on are given only when enough of the chain's nodes say the
 * same; otherwise the call rejects with `NoAgreement` and the caller waits: nothing is guessed.
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

/** The blocks changed while they were being read; the next reading sees one chain. */
export class ChainMoved extends Error {}

export interface Block {
  height: number;
  hash: string;
  parentHash: string;
}

/** Value that reached an address of ours. */
export interface Arrival {
  /** The transaction's hash; the block's for `balance:` outputs, whose transaction is not known. */
  hash: string;
  /**
   * Names the output within its transaction, the same in whichever block it is: `log:2`, `native`, `internal:0.1`, `vout:1`. Or
   * `balance:<address>`: by how much the address grew in the block beyond all that is known (docs/adr/0043-…).
   */
  output: string;
  /** The contract or issuer of a coin that is not the chain's own; null for the chain's own coin. */
  contract: string | null;
  from: string | null;
  to: string;
  amountMinor: bigint;
  /**
   * Addresses of ours that the transaction spent from, on a chain whose transactions return what they do not pay: what reaches their
   * owner is change, and no deposit.
   */
  changeOf?: readonly string[];
  /** The outputs that the transaction spends, `<hash>:<position>`, the first of them (`needsNamed`), on a chain of outputs. */
  needs?: readonly string[];
  /** It can be spent so many blocks after its own, and counts as deep enough only then: a miner's reward. Absent: the chain's depth alone. */
  leastDepth?: number;
}

/** A transaction that spent from an address of ours. */
export interface Departure {
  hash: string;
  /** The address of ours. */
  from: string;
  /** The outputs of that address that it spends, `<hash>:<position>`, on a chain of outputs. */
  spends?: readonly string[];
}

export interface BlockContent {
  block: Block;
  transactionHashes: readonly string[];
  /** What the block's transactions brought, as far as they say so themselves. */
  arrivals: readonly Arrival[];
  /** One for each address of ours that a transaction spent from. */
  departures: readonly Departure[];
}

/** Which addresses are ours; asked for each range of blocks, because new ones are opened all the time. */
export interface OwnAddresses {
  among(addresses: readonly string[]): Promise<ReadonlySet<string>>;
}

/** What became of a transaction that a block has. */
export interface Receipt {
  height: number;
  blockHash: string;
  /** False where the chain took the network fee and did nothing else. */
  succeeded: boolean;
  /** What the network took, in minor units of the chain's own coin. */
  networkFeeMinor: bigint;
}

/**
 * accepted: a node took it. known: the nodes have it already. spent: a block has a transaction that used what this one would
 * spend (a nonce, an input), this one or another. rejected: every node refuses it. unknown: some node's answer is missing,
 * so the chain has to be asked later.
 */
export type Broadcast = { answers?: readonly NodeAnswer[] } & (
  | { outcome: 'accepted' | 'known' | 'spent' | 'unknown' }
  | {
      outcome: 'rejected';
      reason: string;
    }
);

/** What one node said, in its own words where it refused; `node` is its place in the configuration. */
export interface NodeAnswer {
  node: string;
  answer: 'accepted' | 'known' | 'spent' | 'refused' | 'silent';
  words: string;
}

/** What nodes have of an address that no block has: which transactions, or where its chain counts them, how many there are in all. */
export type Pending = { hasQuorum: boolean } & ({ count: number } | { hashes: readonly string[] });

export interface ChainGateway {
  readonly chainId: string;
  /** The height that enough nodes have reached. */
  head(): Promise<number>;
  /** Null when the chain is not that high. */
  block(height: number): Promise<Block | null>;
  /** When a block was made, by its own account; null when the chain is not that high. */
  blockTime(height: number): Promise<Date | null>;
  /** The blocks of a range, linked to one another, with what they brought to addresses of ours. */
  contents(fromHeight: number, toHeight: number, own: OwnAddresses): Promise<BlockContent[]>;
  /** Null when no block has the transaction. */
  receipt(hash: string): Promise<Receipt | null>;
  /** Minor units of a coin at an address, at the end of a block; `contract` null for the chain's own coin. */
  balance(contract: string | null, address: string, height: number): Promise<bigint>;
  /** What any node says of an address with the transactions that wait for a block, and whether a quorum answered. */
  pending(address: string): Promise<Pending>;
  /** Whether any node answers. */
  answers(): Promise<boolean>;
  /** Hands signed bytes to every node. Never rejects. */
  broadcast(raw: string): Promise<Broadcast>;
}

import type { Spender } from './spenders.ts';

/**
 * Whether a coin that no node has can come back (docs/adr/0093). Pure: what the nodes and the database say is read before. Heights are those of
 * blocks.
 */

/** A coin that neither a block nor a mempool has, by the word of enough nodes. */
export interface MissingCoin {
  /** The transaction that made it is an attempt of a payment of ours: we keep its bytes and offer them, so that absence proves nothing. */
  isOurs: boolean;
  /** What blocks have that spends what the transaction that made it spends. */
  conflicts: readonly Spender[];
  /** One of the coins that its transaction spends is gone for good itself. */
  isStarved: boolean;
  /** The watcher's height when it was first missed; null while that is not written. */
  lostBlock: number | null;
}

/** Where the watcher is, and how many blocks above its own a block counts as final. */
export interface Depth {
  height: number;
  confirmations: number;
}

export interface Loss {
  /** What a block has in the place of the transaction that made it; null where that is not known. */
  replacedBy: string | null;
}

/**
 * A coin is gone for good where a final block has what contradicts it. A stranger's transaction that contradicts nothing known is given up once no
 * node has had it for the chain's depth: longer than what takes a waiting deposit back.
 * @returns null while it may come back
 */
export function lossOf({ isOurs, conflicts, isStarved, lostBlock }: MissingCoin, depth: Depth): Loss | null {
  const final = depth.height - depth.confirmations;
  const replacement = conflicts.find(({ height }) => height <= final);
  if (replacement) return { replacedBy: replacement.hash };
  if (isStarved) return { replacedBy: null };
  // What a block has in its place decides once it is final.
  if (isOurs || conflicts.length > 0) return null;
  return lostBlock !== null && lostBlock <= final ? { replacedBy: null } : null;
}

/** What keeps an attempt from being mined; `isForGood` where no reorganisation of less than the chain's depth can undo it. */
export interface Obstacle {
  isForGood: boolean;
}

/** An attempt needs all of its coins, and one possible attempt is enough. */
export function judgeAttempts(obstacles: readonly (readonly Obstacle[])[]): 'free' | 'other' | 'superseded' {
  if (obstacles.some((one) => one.length === 0)) return 'free';
  return obstacles.every((one) => one.some(({ isForGood }) => isForGood)) ? 'superseded' : 'other';
}

import { createHash, createHmac } from 'node:crypto';

/**
 * The Merkle sum tree of a report (docs/adr/0071): what exactly is hashed. Pure, and shared by those who must agree on it: the
 * worker, the signer, and the off-line verifier. Sums are vectors, one number for each asset of the report in its order.
 */

/** Minor units by the place of the asset in the report. */
export type Sums = readonly bigint[];

export interface TreeNode {
  hash: Buffer;
  sums: Sums;
}

/** What a tree is of: the hash of its root covers these, so that no tree passes for that of another day, list of assets or count. */
export interface TreeOf {
  /** The day that ended at the midnight, ISO 8601. */
  day: string;
  assets: readonly string[];
  companies: number;
}

/** A sum that cannot be: negative, or more than 32 bytes hold. */
export class SumRefused extends Error {}

const sumBytes = 32;
const mostSum = 2n ** 256n - 1n;

/** Big-endian, 32 bytes for each asset. @throws SumRefused */
function encodeSums(sums: Sums): Buffer {
  return Buffer.concat(
    sums.map((sum) => {
      if (sum < 0n) throw new SumRefused(`a sum is negative: ${sum}`);
      if (sum > mostSum) throw new SumRefused(`a sum is more than 32 bytes hold: ${sum}`);
      return Buffer.from(sum.toString(16).padStart(2 * sumBytes, '0'), 'hex');
    }),
  );
}

function hashOf(domain: string, ...parts: readonly Buffer[]): Buffer {
  const hash = createHash('sha256').update(`causeway-solvency-${domain}/1\n`);
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/**
 * The name of a company in the tree of a day: 32 bytes that only its salt connects with it. Two companies cannot have the same, and a company
 * that knows its salt cannot be shown another's leaf.
 */
export function leafId(companyId: string, day: string, salt: Buffer): Buffer {
  return createHmac('sha256', salt).update(`causeway-solvency-company/1\n${companyId}\n${day}\n`).digest();
}

/** @throws SumRefused */
export function leafNode(id: Buffer, sums: Sums): TreeNode {
  return { hash: hashOf('leaf', id, encodeSums(sums)), sums };
}

/** Fills the places behind the last company up to a power of two; owes nothing. */
function paddingNode(position: number, assets: number): TreeNode {
  const place = Buffer.alloc(8);
  place.writeBigUInt64BE(BigInt(position));
  return { hash: hashOf('padding', place), sums: Array.from({ length: assets }, () => 0n) };
}

/** The hash covers the sums of both children, each apart: a sum cannot be moved from one to the other. @throws SumRefused */
function parentOf(left: TreeNode, right: TreeNode): TreeNode {
  const hash = hashOf('node', left.hash, encodeSums(left.sums), right.hash, encodeSums(right.sums));
  const sums = left.sums.map((sum, index) => sum + (right.sums[index] ?? 0n));
  encodeSums(sums);
  return { hash, sums };
}

/** @throws SumRefused */
export function rootHash({ day, assets, companies }: TreeOf, top: TreeNode): Buffer {
  const header = Buffer.from(`${day}\n${companies}\n${assets.join(' ')}\n`);
  return hashOf('root', header, top.hash, encodeSums(top.sums));
}

/** How many steps lead from a leaf to the top. */
export function depthOf(companies: number): number {
  return companies <= 1 ? 0 : Math.ceil(Math.log2(companies));
}

export interface Leaf {
  id: Buffer;
  sums: Sums;
}

export interface Tree {
  root: Buffer;
  sums: Sums;
  /** The siblings of a leaf on its way to the top, from below. */
  path(position: number): TreeNode[];
}

/**
 * Builds the tree of leaves in the order of their ids, each id once. @throws SumRefused; Error when the order or the number of sums is not
 * as it must be
 */
export function buildTree(of: TreeOf, leaves: readonly Leaf[]): Tree {
  if (leaves.length !== of.companies) throw new Error('the tree has a leaf for each company');
  leaves.forEach(({ id, sums }, index) => {
    const before = leaves[index - 1];
    if (before && Buffer.compare(before.id, id) >= 0)
      throw new Error('leaves are in the order of their ids, each once');
    if (sums.length !== of.assets.length) throw new Error('a leaf has a sum for each asset');
  });
  const width = 2 ** depthOf(leaves.length);
  let level = Array.from({ length: width }, (_, position) => {
    const leaf = leaves[position];
    return leaf ? leafNode(leaf.id, leaf.sums) : paddingNode(position, of.assets.length);
  });
  const levels = [level];
  while (level.length > 1) {
    const below = level;
    level = Array.from({ length: below.length / 2 }, (_, index) =>
      parentOf(nodeAt(below, 2 * index), nodeAt(below, 2 * index + 1)),
    );
    levels.push(level);
  }
  const top = nodeAt(level, 0);
  return {
    root: rootHash(of, top),
    sums: top.sums,
    path: (position) => levels.slice(0, -1).map((nodes, height) => nodeAt(nodes, (position >> height) ^ 1)),
  };
}

function nodeAt(nodes: readonly TreeNode[], index: number): TreeNode {
  const node = nodes[index];
  if (!node) throw new Error(`the tree has no node ${index}`);
  return node;
}

/** The top that a leaf and its path lead to. @throws SumRefused */
export function climb(leaf: TreeNode, position: number, path: readonly TreeNode[]): TreeNode {
  return path.reduce(
    (node, sibling, height) => ((position >> height) % 2 === 0 ? parentOf(node, sibling) : parentOf(sibling, node)),
    leaf,
  );
}

import type * as z from 'zod';
import { keyIdOf } from '../audit/chain.ts';
import {
  type companyFile,
  contradictionIn,
  digestOf,
  type fullFile,
  isSignedBy,
  proofFile,
  type Signed,
  type Statement,
} from './statement.ts';
import { buildTree, climb, depthOf, leafId, leafNode, rootHash, SumRefused, type TreeOf } from './tree.ts';

/** Judges a file of solvency off-line: no database, no network. The first thing that does not hold is named. */

/** An amount in minor units of an asset. */
export interface Amount {
  asset: string;
  decimals: number;
  minor: bigint;
}

export type SolvencyVerdict =
  | {
      holds: true;
      statement: Statement;
      signedAt: string;
      publicKey: string;
      /** The company of a company's file, and with what it was counted. */
      company: { id: string; counted: Amount[] } | null;
    }
  | { holds: false; problem: string };

class Refused extends Error {}

function must(condition: unknown, problem: string): asserts condition {
  if (!condition) throw new Refused(problem);
}

/**
 * @param text the file
 * @param trustedKey the public key known from elsewhere (base64url); without it the file's own is believed, which shows damage and not
 * forgery
 */
export function verifySolvency(text: string, trustedKey: string | null): SolvencyVerdict {
  try {
    const file = read(text);
    const { statement, signed } = file;
    checkSigned(statement, signed, trustedKey);
    const company = file.type === 'company' ? checkCompany(file) : checkFull(file);
    return { holds: true, statement, signedAt: signed.at, publicKey: signed.publicKey, company };
  } catch (error) {
    if (!(error instanceof Refused || error instanceof SumRefused)) throw error;
    return { holds: false, problem: error.message };
  }
}

function read(text: string): z.output<typeof proofFile> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Refused('the file is not JSON');
  }
  const parsed = proofFile.safeParse(value);
  must(parsed.success, `the file is no proof of this form: ${parsed.error?.issues[0]?.path.join('.') ?? ''}`);
  return parsed.data;
}

function checkSigned(statement: Statement, signed: Signed, trustedKey: string | null): void {
  must(digestOf(statement) === signed.digest, 'the report is not the one that was signed');
  const key = Buffer.from(signed.publicKey, 'base64url');
  must(key.length === 32 && keyIdOf(key) === signed.keyId, 'the key is not what its name says');
  must(
    trustedKey === null || trustedKey === signed.publicKey,
    `it is signed with key ${signed.keyId}, which is not the trusted one`,
  );
  must(isSignedBy(key, statement.day, signed), 'the signature does not cover this report');
  const contradiction = contradictionIn(statement);
  must(contradiction === null, `the report contradicts itself: ${contradiction}`);
}

function treeOf({ day, assets, companies }: Statement): TreeOf {
  return { day, assets: assets.map(({ asset }) => asset), companies };
}

function sumsOf(statement: Statement, sums: Record<string, string>): bigint[] {
  const strange = Object.keys(sums).find((asset) => !statement.assets.some((each) => each.asset === asset));
  must(strange === undefined, `the leaf has ${strange}, which the report does not have`);
  return statement.assets.map(({ asset }) => BigInt(sums[asset] ?? '0'));
}

function checkCompany({ statement, leaf, path }: z.output<typeof companyFile>): { id: string; counted: Amount[] } {
  must(leaf.position < statement.companies, 'the leaf lies behind the last company');
  must(path.length === depthOf(statement.companies), 'the path has not the length that the number of companies makes');
  must(
    path.every(({ sums }) => sums.length === statement.assets.length),
    'a step of the path has not a sum for each asset',
  );
  const sums = sumsOf(statement, leaf.sums);
  const id = leafId(leaf.company, statement.day, Buffer.from(leaf.salt, 'hex'));
  const steps = path.map((step) => ({ hash: Buffer.from(step.hash, 'hex'), sums: step.sums.map(BigInt) }));
  const top = climb(leafNode(id, sums), leaf.position, steps);
  must(
    rootHash(treeOf(statement), top).toString('hex') === statement.root,
    'the leaf does not lead to the root that was signed: the company was left out, or counted with other amounts',
  );
  checkTotals(statement, top.sums);
  const counted = statement.assets.map(({ asset, decimals }, index) => ({ asset, decimals, minor: sums[index] ?? 0n }));
  return { id: leaf.company, counted: counted.filter(({ minor }) => minor > 0n) };
}

function checkTotals(statement: Statement, sums: readonly bigint[]): void {
  statement.assets.forEach(({ asset, owed }, index) => {
    must(sums[index] === BigInt(owed), `the tree has another sum of ${asset} than the report says is owed`);
  });
}

function checkFull({ statement, leaves, holdings, timing }: z.output<typeof fullFile>): null {
  must(leaves.length === statement.companies, 'the file has not a leaf for each company');
  must(new Set(leaves.map(({ company }) => company)).size === leaves.length, 'a company has two leaves');
  const nodes = leaves.map(({ company, salt, sums }) => ({
    id: leafId(company, statement.day, Buffer.from(salt, 'hex')),
    sums: sumsOf(statement, sums),
  }));
  nodes.forEach(({ id }, index) => {
    const before = nodes[index - 1];
    must(!before || Buffer.compare(before.id, id) < 0, 'the leaves are not in the order of the tree');
  });
  const tree = buildTree(treeOf(statement), nodes);
  must(tree.root.toString('hex') === statement.root, 'the leaves do not make the root that was signed');
  checkTotals(statement, tree.sums);
  must(digestOf(holdings) === statement.holdings, 'the addresses are not those that were signed');
  must(digestOf(timing) === statement.timing, 'the postings around midnight are not those that were signed');
  for (const { asset, tank, treasury = '0', timing: late } of statement.assets) {
    const ofAsset = <T extends { asset: string; minor: string }>(rows: readonly T[]) =>
      rows.filter((row) => row.asset === asset).reduce((sum, row) => sum + BigInt(row.minor), 0n);
    for (const { chain, held } of statement.chains) {
      const said = BigInt(held.find((each) => each.asset === asset)?.minor ?? '0');
      const sum = ofAsset(holdings.filter((row) => row.chain === chain && row.owner !== 'operator'));
      must(sum === said, `the addresses on ${chain} do not add up to what it holds of ${asset}`);
    }
    must(ofAsset(holdings.filter(({ owner }) => owner === 'operator')) === BigInt(tank), `the gas tank of ${asset}`);
    must(
      ofAsset(holdings.filter(({ owner }) => owner === 'treasury')) === BigInt(treasury),
      `the treasury of ${asset}`,
    );
    must(ofAsset(timing) === BigInt(late), `the postings around midnight do not add up for ${asset}`);
  }
  return null;
}

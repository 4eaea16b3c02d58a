import { sign } from 'node:crypto';
import { sql } from 'kysely';
import * as z from 'zod';
import { checkpointKey } from '../audit/checkpoint.ts';
import { insertKey } from '../audit/store.ts';
import type { Database, PlatformTx } from '../database/database.ts';
import { owedOf } from './owed.ts';
import { contradictionIn, digestOf, midnightAfter, reportMessage } from './statement.ts';
import { balancesOfAll, findLeaves, findReport, type StoredReport } from './store.ts';
import { buildTree, leafId } from './tree.ts';

/**
 * The signer's signature over a report. The worker asks for it; the signer believes nothing that it can see for itself: it recomputes from the ledger
 * what every company was owed, builds the tree, and follows the reports that it signed before. What chains hold it cannot see.
 */

export const solvencyRequest = z.strictObject({ day: z.iso.date() });
export type SolvencyRequest = z.output<typeof solvencyRequest>;

export const solvencyAnswer = z.discriminatedUnion('signed', [
  z.object({ signed: z.literal(true) }),
  z.object({
    signed: z.literal(false),
    /**
     * `absent`: no such report. `altered`: it is not what its digest says, or contradicts itself. `tree`: its leaves do not make its root.
     * `ledger`: a company is missing, or was owed something else. `order`: it does not follow the report signed last. `differs`: another one
     * of the day is signed.
     */
    refusal: z.enum(['absent', 'altered', 'tree', 'ledger', 'order', 'differs']),
  }),
]);
export type SolvencyAnswer = z.output<typeof solvencyAnswer>;

/** The port to the signer. Asking again is harmless. */
export type AskSolvency = (request: SolvencyRequest) => Promise<SolvencyAnswer>;

type Refusal = Extract<SolvencyAnswer, { signed: false }>['refusal'];

/** The signer's side. The key is that of the audit log; the first line of what it signs keeps the two apart. */
export function createSolvencySigner(database: Database, secret: Buffer): AskSolvency {
  const key = checkpointKey(secret);
  return ({ day }) =>
    database.withoutCompany(async (tx) => {
      await sql`set transaction isolation level repeatable read`.execute(tx);
      const report = await findReport(tx, day);
      if (!report) return { signed: false, refusal: 'absent' };
      if (report.signed) {
        return report.signed.digest === report.digest ? { signed: true } : { signed: false, refusal: 'differs' };
      }
      const refusal = await refusalOf(tx, report);
      if (refusal !== null) return { signed: false, refusal };
      const at = new Date().toISOString();
      const signature = sign(null, reportMessage({ day, digest: report.digest, at }), key.privateKey);
      await insertKey(tx, key.keyId, key.publicKey);
      await sql`
        insert into solvency_signature (day, digest, signed_at, key_id, signature)
        values (${day}, ${Buffer.from(report.digest, 'hex')}, ${at}, ${key.keyId}, ${signature})`.execute(tx);
      return { signed: true };
    });
}

async function refusalOf(tx: PlatformTx, report: StoredReport): Promise<Refusal | null> {
  const { statement, digest, day } = report;
  const isWhole = digestOf(statement) === digest && statement.day === day && contradictionIn(statement) === null;
  if (!isWhole) return 'altered';
  const { rows } = await sql<{ day: string; digest: Buffer }>`
    select day::text, digest from solvency_signature order by day desc limit 1`.execute(tx);
  const last = rows[0];
  if (last && last.day >= day) return 'order';
  if ((last?.digest.toString('hex') ?? null) !== statement.previous) return 'order';
  return (await treeHolds(tx, report)) ? await ledgerRefusal(tx, report) : 'tree';
}

async function treeHolds(tx: PlatformTx, { statement, day }: StoredReport): Promise<boolean> {
  const assets = statement.assets.map(({ asset }) => asset);
  const leaves = (await findLeaves(tx, day)).map(({ companyId, salt, sums }) => ({
    id: leafId(companyId, day, salt),
    sums: assets.map((asset) => BigInt(sums[asset] ?? '0')),
  }));
  if (leaves.length !== statement.companies) return false;
  try {
    const tree = buildTree({ day, assets, companies: statement.companies }, leaves);
    const owed = statement.assets.every(({ owed }, index) => tree.sums[index] === BigInt(owed));
    return owed && tree.root.toString('hex') === statement.root;
  } catch {
    return false;
  }
}

/** Compares every leaf with the ledger of that midnight. */
async function ledgerRefusal(tx: PlatformTx, { statement, day }: StoredReport): Promise<'ledger' | null> {
  return (await differencesWithLedger(tx, day, await balancesOfAll(tx, midnightAfter(statement.day)))).length === 0
    ? null
    : 'ledger';
}

/** Companies whose leaf is not what the ledger says they were owed at the midnight, or who have none, or one too many. */
export async function differencesWithLedger(
  tx: PlatformTx,
  day: string,
  balances: Parameters<typeof owedOf>[0],
): Promise<string[]> {
  const { companies } = owedOf(balances);
  const leaves = new Map((await findLeaves(tx, day)).map(({ companyId, sums }) => [companyId, sums]));
  const wrong = [...companies].filter(([companyId, { sums }]) => {
    const leaf = leaves.get(companyId);
    if (!leaf) return true;
    const assets = new Set([...sums.keys(), ...Object.keys(leaf)]);
    return [...assets].some((asset) => (sums.get(asset) ?? 0n) !== BigInt(leaf[asset] ?? '0'));
  });
  const strangers = [...leaves.keys()].filter((companyId) => !companies.has(companyId));
  return [...wrong.map(([companyId]) => companyId), ...strangers];
}

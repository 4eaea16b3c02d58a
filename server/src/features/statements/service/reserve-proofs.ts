import type { OutputInput, Query } from '@causeway/contract/call.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import { type getReserveProof, listReserveProofs } from '@causeway/contract/statements.ts';
import { sql } from 'kysely';
import { audit } from '../../../platform/audit/record.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { defineList, readPage } from '../../../platform/database/list.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import type { FileAnswer } from '../../../platform/http/call-answer.ts';
import { actorOf, type SignedInContext } from '../../../platform/session.ts';
import type { CompanyFile, Signed, Statement } from '../../../platform/solvency/statement.ts';
import { findReport, type LeafRow, storedStatement } from '../../../platform/solvency/store.ts';

/** A company's part of the operator's reports of solvency (docs/adr/0071): what it was counted with, and the proof of it. */

interface ProofRow extends Pick<LeafRow, 'sums'> {
  day: string;
  signedAt: string;
  statement: string;
}

const proofList = defineList(listReserveProofs, {
  from: () => sql`solvency_leaf l join solvency_report r on r.day = l.day join solvency_signature s on s.day = l.day`,
  where: () => sql`l.company_id = company_id()`,
  filters: {},
  columns: () => sql<ProofRow>`l.day::text, l.sums, s.signed_at as "signedAt", r.statement`,
  orders: { day: { by: sql`(l.day::timestamp at time zone 'UTC')`, kind: 'time' } },
  first: { sort: 'day', order: 'desc' },
});

/** @throws DomainError cursorInvalid */
export async function listProofs(
  tx: Tx,
  _context: SignedInContext,
  query: Query<typeof listReserveProofs>,
): Promise<OutputInput<typeof listReserveProofs>> {
  const page = await readPage(tx, proofList, query, undefined);
  return {
    ...page,
    items: page.items.map(({ day, signedAt, sums, statement }) => ({
      day,
      signedAt,
      counted: storedStatement(statement)
        .assets.map(({ asset, decimals }) => countedOf(asset, decimals, sums))
        .filter(({ asset }) => sums[asset] !== undefined),
    })),
  };
}

function countedOf(asset: string, decimals: number, sums: LeafRow['sums']) {
  return { asset, decimals, counted: formatAmount(BigInt(sums[asset] ?? '0'), decimals) };
}

type Step = CompanyFile['path'][number];

interface Proof {
  statement: Statement;
  digest: string;
  signed: Signed;
  leaf: LeafRow & { path: Step[] };
}

/** The company's leaf in the signed report of a day. @throws DomainError notFound */
async function findProof(tx: Tx, day: string): Promise<Proof> {
  const { rows } = await sql<LeafRow & { path: Step[] }>`
    select company_id as "companyId", position, salt, sums, path from solvency_leaf
    where company_id = company_id() and day = ${day}`.execute(tx);
  const [leaf] = rows;
  const report = leaf ? await findReport(tx, day) : null;
  if (!leaf || !report?.signed) throw new DomainError('notFound');
  return { leaf, statement: report.statement, digest: report.digest, signed: report.signed };
}

/** @throws DomainError notFound */
export async function getProof(
  tx: Tx,
  _context: SignedInContext,
  { day }: { day: string },
): Promise<OutputInput<typeof getReserveProof>> {
  const { statement, digest, signed, leaf } = await findProof(tx, day);
  return {
    day,
    at: statement.at,
    signedAt: signed.at,
    companies: statement.companies,
    root: statement.root,
    digest,
    publicKey: signed.publicKey,
    assets: statement.assets.map(({ asset, decimals, owed, atBanks, heldAtBanks, held, own, timing, difference }) => {
      const shown = (minor: string) => formatAmount(BigInt(minor), decimals);
      return {
        ...countedOf(asset, decimals, leaf.sums),
        owed: shown(owed),
        atBanks: shown(atBanks),
        heldAtBanks: heldAtBanks == null ? null : shown(heldAtBanks),
        held: shown(held),
        own: shown(own),
        timing: shown(timing),
        difference: shown(difference),
      };
    }),
    chains: statement.chains.map(({ chain, block }) => ({
      chain,
      block: block && { height: block.height, hash: block.hash, at: block.time },
    })),
  };
}

/** The proof as a file; each download is in the audit log. @throws DomainError notFound */
export async function downloadProof(tx: Tx, context: SignedInContext, { day }: { day: string }): Promise<FileAnswer> {
  const { statement, signed, leaf } = await findProof(tx, day);
  const { companyId, position, salt, sums, path } = leaf;
  const file: CompanyFile = {
    type: 'company',
    statement,
    signed,
    leaf: { company: companyId, position, salt: salt.toString('hex'), sums },
    path,
  };
  await audit(tx, {
    actor: actorOf(context),
    action: 'statements.downloadProof',
    subjectKind: 'company',
    subjectId: tx.companyId,
    detail: { day },
  });
  return {
    name: `proof-of-reserves-${day}.json`,
    type: 'application/json; charset=utf-8',
    content: Buffer.from(`${JSON.stringify(file, null, 2)}\n`),
  };
}

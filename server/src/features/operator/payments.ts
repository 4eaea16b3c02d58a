import { formatAmount } from '@causeway/contract/money.ts';
import { operatorRoles } from '@causeway/contract/operator-rules.ts';
import { audit } from '../../platform/audit/record.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { type ChainFamilies, familyOf } from '../chains/index.ts';
import { nilCompany } from '../identity/index.ts';
import type { Obstacle } from '../rails/index.ts';
import { may } from './console/domain.ts';
import { countActive } from './console/store/accounts.ts';
import {
  decide,
  findHeldAddresses,
  findJournaledMatches,
  findJournaledTransfer,
  findOperatorTransfer,
  findUnexplained,
  markReleased,
  type OperatorTransfer,
  type UnexplainedRow,
  updateAcceptedNonce,
} from './payments-store.ts';
import type { OperatorContext } from './service.ts';

/**
 * What the operator decides of payments that only the chain knows. A command records the decision, with the facts checked;
 * the worker, which alone may write the books, carries it out within seconds.
 */

export async function showHeld({ database }: OperatorContext) {
  const rows = await database.withoutCompany(findHeldAddresses);
  return rows.map(({ heldAt, companyId: _, ...row }) => ({ ...row, since: heldAt.toISOString() }));
}

const obstacles: Record<Obstacle, string> = {
  notFinal: 'waits for the depth of the chain',
  differs: 'differs from the transfer by now',
  underWay: 'the transfer has another transaction under way',
};

export async function showUnexplained({ database }: OperatorContext) {
  const rows = await database.withoutCompany((tx) => findUnexplained(tx, null));
  return rows.map((row) => ({
    id: row.id,
    company: row.company ?? 'the gas tank',
    chain: row.chainId,
    from: row.fromAddress,
    nonce: row.nonce,
    to: row.toAddress,
    coin: row.coin,
    amount: row.decimals === null ? null : formatAmount(row.amountMinor, row.decimals),
    networkFeeWei: row.networkFeeWei.toString(),
    succeeded: row.succeeded,
    hash: row.hash,
    block: row.blockNumber,
    since: row.seenAt.toISOString(),
    /** The transfer that the signer's journal names for this payment, whether it is still in the database or not. */
    journaled: row.journaledId,
    decision: row.decision,
    waitsFor: row.obstacle === null ? null : (obstacles[row.obstacle as Obstacle] ?? row.obstacle),
  }));
}

/**
 * What two people decide in the console is not decided by one on the machine: the command line acts alone only while the console has no
 * two operators who could (docs/FOUR_EYES.md). @throws DomainError secondOperatorNeeded
 */
async function requireNoSecond({ database }: OperatorContext): Promise<void> {
  const roles = operatorRoles.filter((role) => may(role, 'operator.exception') && may(role, 'operator.confirm'));
  if ((await database.withoutCompany((tx) => countActive(tx, roles))) >= 2) {
    throw new DomainError('secondOperatorNeeded');
  }
}

/** @throws DomainError secondOperatorNeeded, notFound, paymentDecided, paymentDiffers */
export async function matchPayment(context: OperatorContext, id: string, transferId: string) {
  await requireNoSecond(context);
  const row = await findOpen(context, id);
  const transfer = await context.database.withCompany(row.companyId, (tx) => findOperatorTransfer(tx, transferId));
  if (!transfer) throw new DomainError('notFound');
  const isSame =
    transfer.isWaiting &&
    transfer.chainId === row.chainId &&
    transfer.coin === row.coin &&
    transfer.quantityMinor === row.amountMinor &&
    paysTo(context.families, transfer, row.toAddress) &&
    row.isSignable;
  if (!isSame) throw new DomainError('paymentDiffers');
  return record(context, row, { decision: 'match', transferId, reason: null });
}

function paysTo(families: ChainFamilies, { family, payee }: OperatorTransfer, address: string | null): boolean {
  return family !== null && payee !== null && address !== null && familyOf(families, { family }).isSame(payee, address);
}

/**
 * Matches every open payment that the signer's journal names with the same nonce, payee, coin and amount. Nothing of it is one person's
 * judgement, and a restore waits for it.
 */
export async function matchJournaled(context: OperatorContext) {
  const rows = await context.database.withoutCompany(findJournaledMatches);
  for (const { row, transferId } of rows) await record(context, row, { decision: 'match', transferId, reason: null });
  const open = await context.database.withoutCompany((tx) => findUnexplained(tx, null));
  return { matched: rows.length, left: open.filter(({ decision, company }) => decision === null && company).length };
}

/** @throws DomainError secondOperatorNeeded, notFound, paymentDecided */
export async function bookPayment(context: OperatorContext, id: string, reason: string) {
  await requireNoSecond(context);
  const row = await findOpen(context, id);
  // A lost transfer keeps its id, so that it cannot be submitted and paid once more.
  const transferId = await context.database.withCompany(row.companyId, (tx) => findJournaledTransfer(tx, row.id));
  return record(context, row, { decision: 'book', transferId, reason });
}

async function findOpen({ database }: OperatorContext, id: string): Promise<UnexplainedRow> {
  const [row] = await database.withoutCompany((tx) => findUnexplained(tx, id));
  // The gas tank's are closed by the worker itself.
  if (!row || row.company === null) throw new DomainError('notFound');
  if (row.decision !== null || row.state !== 'open') throw new DomainError('paymentDecided');
  return row;
}

interface Decision {
  decision: 'match' | 'book';
  transferId: string | null;
  reason: string | null;
}

/** Records a decision in the company's log and in the operator's own. */
async function record({ database, operator }: OperatorContext, row: UnexplainedRow, made: Decision) {
  const { companyId, id, hash, nonce, company } = row;
  const entry = {
    actor: { kind: 'operator', id: operator },
    action: made.decision === 'match' ? 'operator.matchPayment' : 'operator.bookPayment',
    subjectKind: 'payment',
    subjectId: id,
    detail: { hash, nonce, transferId: made.transferId, reason: made.reason },
  } as const;
  await database.withCompany(companyId, async (tx) => {
    if (!(await decide(tx, id, { ...made, by: operator }))) throw new DomainError('paymentDecided');
    await audit(tx, entry);
  });
  await database.withCompany(nilCompany, (tx) => audit(tx, entry));
  return { id, company, hash, decision: made.decision, transfer: made.transferId };
}

/** @throws DomainError secondOperatorNeeded, notFound, transferNotSuperseded */
export async function releaseTransfer(context: OperatorContext, id: string, reason: string) {
  const { database, operator } = context;
  await requireNoSecond(context);
  const released = await database.withoutCompany((tx) => markReleased(tx, id, reason, operator));
  if (released.outcome !== 'released') {
    throw new DomainError(released.outcome === 'unknown' ? 'notFound' : 'transferNotSuperseded');
  }
  const entry = {
    actor: { kind: 'operator', id: operator },
    action: 'operator.releaseTransfer',
    subjectKind: 'transaction',
    subjectId: id,
    detail: { reason },
  } as const;
  await database.withCompany(released.companyId, (tx) => audit(tx, entry));
  await database.withCompany(nilCompany, (tx) => audit(tx, entry));
  return { id, released: true };
}

/** @throws DomainError secondOperatorNeeded, nonceNotAccepted */
export async function acceptNonce(
  context: OperatorContext,
  { chain, address, nonce, reason }: { chain: string; address: string; nonce: number; reason: string },
) {
  const { database, operator } = context;
  await requireNoSecond(context);
  const companyId = await database.withoutCompany((tx) => updateAcceptedNonce(tx, chain, address, nonce));
  if (companyId === null) throw new DomainError('nonceNotAccepted');
  const entry = {
    actor: { kind: 'operator', id: operator },
    action: 'operator.acceptNonce',
    subjectKind: 'address',
    subjectId: address,
    detail: { chain, address, nonce, reason },
  } as const;
  await database.withCompany(companyId, (tx) => audit(tx, entry));
  if (companyId !== nilCompany) await database.withCompany(nilCompany, (tx) => audit(tx, entry));
  return { chain, address, nonce };
}

import { audit } from '../../platform/audit/record.ts';
import type { Database } from '../../platform/database/database.ts';
import { beginRestoreMode, endRestoreMode, findRestoreMode } from '../../platform/database/restore-mode.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { type ChainGateway, findCursor, findSignerState } from '../chains/index.ts';
import { nilCompany } from '../identity/index.ts';
import { reconcileSteadily } from '../rails/index.ts';
import {
  countForRelease,
  findKnown,
  findLost,
  findOrphaned,
  insertResend,
  type KnownAddress,
  type LostPayment,
  unknownHashes,
} from './restore-store.ts';
import type { OperatorContext } from './service.ts';

/**
 * Restore mode (docs/adr/0041-…): the operator sees what is still missing, and releases sending only when the chains, the books
 * and the signer's journal agree.
 */

/** One thing that must be true before sending is released. */
interface Condition {
  condition: string;
  met: boolean;
  found: string;
}

/** How old the signer's last comparison may be; it compares every five seconds. */
const signerSilentSeconds = 60;
const tries = { tries: 3, pauseMs: 1500 };

/** Every condition of a release as it is now; the first line says whether restore mode holds. */
export async function showRestore(context: OperatorContext) {
  const { database } = context;
  const mode = await database.withoutCompany(findRestoreMode);
  const { waiting } = await database.withoutCompany(countForRelease);
  const orphaned = await database.withoutCompany(findOrphaned);
  const since = mode && `since ${mode.begunAt.toISOString()} by ${mode.begunBy}: ${mode.reason}`;
  return [
    { condition: 'sending is on', met: mode === null, found: since ?? 'restore mode does not hold' },
    ...(await conditionsOf(context)),
    {
      condition: 'addresses of lost payment requests are watched',
      met: null,
      found: `${orphaned.addresses} of ${orphaned.companies} companies; ${orphaned.payments} payments reached them`,
    },
    { condition: 'go out by themselves on release', met: null, found: `${waiting} approved transfers` },
  ];
}

/** Begins restore mode; `changed` false when it holds already. */
export async function beginRestore({ database, operator }: OperatorContext, reason: string) {
  return database.withCompany(nilCompany, async (tx) => {
    const changed = await beginRestoreMode(tx, { cause: 'operator', reason, by: operator });
    await audit(tx, {
      actor: { kind: 'operator', id: operator },
      action: 'operator.beginRestore',
      subjectKind: 'installation',
      subjectId: 'sending',
      detail: { reason },
    });
    return { sending: 'off', changed };
  });
}

/** Ends restore mode. @throws DomainError restoreNotHeld, restoreNotReady */
export async function releaseRestore(context: OperatorContext, reason: string) {
  const { database, operator } = context;
  if ((await database.withoutCompany(findRestoreMode)) === null) throw new DomainError('restoreNotHeld');
  const missing = (await conditionsOf(context)).filter(({ met }) => !met);
  if (missing.length > 0) {
    const list = missing.map(({ condition, found }) => `- ${condition}: ${found}`).join('\n');
    throw new DomainError('restoreNotReady', { missing: list });
  }
  return database.withCompany(nilCompany, async (tx) => {
    if (!(await endRestoreMode(tx, { by: operator, reason }))) throw new DomainError('restoreNotHeld');
    await audit(tx, {
      actor: { kind: 'operator', id: operator },
      action: 'operator.releaseRestore',
      subjectKind: 'installation',
      subjectId: 'sending',
      detail: { reason },
    });
    return { sending: 'on', reason };
  });
}

/** Decides that a lost payment is offered to the nodes again on release. @throws DomainError restoreNotHeld, notFound */
export async function resendPayment({ database, operator }: OperatorContext, transferId: string, reason: string) {
  if ((await database.withoutCompany(findRestoreMode)) === null) throw new DomainError('restoreNotHeld');
  const lost = (await database.withoutCompany(findLost)).find((payment) => payment.transferId === transferId);
  if (!lost) throw new DomainError('notFound');
  const entry = {
    actor: { kind: 'operator', id: operator },
    action: 'operator.resendPayment',
    subjectKind: 'transaction',
    subjectId: transferId,
    detail: { chain: lost.chainId, nonce: lost.nonce, reason },
  } as const;
  await database.withCompany(lost.companyId, async (tx) => {
    await insertResend(tx, transferId, reason, operator);
    await audit(tx, entry);
  });
  await database.withCompany(nilCompany, (tx) => audit(tx, entry));
  return { transfer: transferId, chain: lost.chainId, nonce: lost.nonce, resent: 'on release' };
}

async function conditionsOf({ database, gateways }: OperatorContext): Promise<Condition[]> {
  const conditions = [await journalAgrees(database)];
  for (const gateway of gateways) conditions.push(await isReadToHead(database, gateway));
  for (const gateway of gateways) conditions.push(await isReconciled(database, gateway));
  for (const gateway of gateways) conditions.push(await nothingPending(database, gateway));
  return [...conditions, ...(await nothingOpen(database))];
}

async function journalAgrees(database: Database): Promise<Condition> {
  const condition = "the signer's journal and the database agree";
  const state = await database.withoutCompany(findSignerState);
  if (!state) return { condition, met: false, found: 'the signer has not compared them' };
  if (state.ageSeconds > signerSilentSeconds) {
    return { condition, met: false, found: `the signer compared them ${state.ageSeconds} seconds ago; is it running?` };
  }
  return { condition, met: state.agrees, found: state.finding };
}

async function isReadToHead(database: Database, gateway: ChainGateway): Promise<Condition> {
  const condition = `${gateway.chainId} is read to its head`;
  try {
    const head = await gateway.head();
    const cursor = await database.withoutCompany((tx) => findCursor(tx, gateway.chainId));
    const met = cursor !== null && cursor.height >= head;
    return { condition, met, found: `block ${cursor?.height ?? 'none'} of ${head}` };
  } catch (error) {
    return { condition, met: false, found: String(error) };
  }
}

async function isReconciled(database: Database, gateway: ChainGateway): Promise<Condition> {
  const condition = `${gateway.chainId} holds what the books say (chain:verify)`;
  const { result, failure } = await reconcileSteadily(database, gateway, tries);
  if (!result) return { condition, met: false, found: failure };
  const { wallets, mismatches } = result;
  const met = result.height !== null && mismatches.length === 0;
  return { condition, met, found: `${wallets} wallets, ${mismatches.length} mismatches` };
}

/** Addresses that are asked for together. */
const sliceSize = 20;

/**
 * No node has a transaction of ours that no block has and that neither database nor journal knows: it was signed, both have lost
 * it, and it may be mined later.
 */
async function nothingPending(database: Database, gateway: ChainGateway): Promise<Condition> {
  const condition = `the nodes of ${gateway.chainId} have no waiting transaction that is not known here`;
  try {
    const senders = await database.withoutCompany((tx) => findKnown(tx, gateway.chainId));
    const found: string[] = [];
    for (let from = 0; from < senders.length; from += sliceSize) {
      const slice = senders.slice(from, from + sliceSize).map(async (sender) => {
        const unknown = await unknownAt(database, gateway, sender);
        if (unknown !== null) found.push(`${sender.address}: ${unknown}`);
      });
      await Promise.all(slice);
    }
    return { condition, met: found.length === 0, found: found.length === 0 ? 'none' : found.join(', ') };
  } catch (error) {
    return { condition, met: false, found: String(error) };
  }
}

/** What the nodes have of an address that is not known here; null when there is nothing. */
async function unknownAt(
  database: Database,
  gateway: ChainGateway,
  { address, known }: KnownAddress,
): Promise<string | null> {
  const pending = await gateway.pending(address);
  if (!pending.hasQuorum) return 'too few nodes answer';
  if ('count' in pending) return pending.count > known ? `${pending.count} transactions, ${known} known` : null;
  const unknown = await database.withoutCompany((tx) => unknownHashes(tx, gateway.chainId, pending.hashes));
  return unknown.length > 0 ? unknown.join(' ') : null;
}

async function nothingOpen(database: Database): Promise<Condition[]> {
  const { counts, lost } = await database.withoutCompany(async (tx) => ({
    counts: await countForRelease(tx),
    lost: await findLost(tx),
  }));
  const none = (condition: string, count: number, found: string): Condition => ({ condition, met: count === 0, found });
  const place = ({ chainId, nonce }: LostPayment) => (nonce === null ? chainId : `${chainId}, nonce ${nonce}`);
  const ids = lost.map((payment) => `${payment.transferId} (${place(payment)})`).join(', ');
  return [
    none(
      'no rows of a batch are queued',
      counts.queued,
      `those of ${counts.queued} companies are; start main before the worker`,
    ),
    none('every signed payment is known to the worker', counts.toAdopt, `${counts.toAdopt} are not; is it running?`),
    none('no payment is unexplained (payments unexplained)', counts.unexplained, `${counts.unexplained} are`),
    none('no address is held (payments held)', counts.held, `${counts.held} are`),
    none('no signed payment is lost (restore resend)', lost.length, lost.length === 0 ? '0 are' : ids),
  ];
}

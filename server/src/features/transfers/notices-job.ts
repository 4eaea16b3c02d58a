import { sayAmount } from '@causeway/contract/money.ts';
import type { Tx } from '../../platform/database.ts';
import { invariant } from '../../platform/domain-error.ts';
import type { JobContext, JobDefinition } from '../../platform/jobs.ts';
import { hasText } from '../../platform/texts.ts';
import { type Contact, findContacts } from '../identity/index.ts';
import { type NoticeFact, type NoticeValues, notify } from '../notices/index.ts';
import { findPeople } from '../organisation/index.ts';
import { transferEvents } from './events.ts';
import { endReasons } from './service/approving.ts';
import { readTransactions, type TransactionRow } from './store/reading.ts';

/** What a company is told of its transactions; `mailed` also by mail. */
const notices: Record<string, { kind: string; mailed: boolean }> = {
  [transferEvents.depositSeen]: { kind: 'depositSeen', mailed: false },
  [transferEvents.depositCredited]: { kind: 'depositCredited', mailed: true },
  [transferEvents.depositOrphaned]: { kind: 'depositOrphaned', mailed: false },
  [transferEvents.depositReversed]: { kind: 'depositReversed', mailed: true },
  [transferEvents.completed]: { kind: 'transferCompleted', mailed: true },
  [transferEvents.failed]: { kind: 'transferFailed', mailed: true },
  [transferEvents.cancelled]: { kind: 'transferCancelled', mailed: false },
};

/** The jobs that tell a company of its transactions. A notice is written once however often its event comes. */
export function transferNoticeJobs(): JobDefinition[] {
  return Object.entries(notices).map(([event, { kind, mailed }]) => ({
    name: `transfers.notice.${kind}`,
    on: [event],
    run: ({ companyId, database }: JobContext, payload: Record<string, unknown>) =>
      database.withCompany(companyId, (tx) => give(tx, String(payload['transactionId']), kind, mailed)),
  }));
}

async function give(tx: Tx, transactionId: string, kind: string, mailed: boolean): Promise<void> {
  const row = await find(tx, transactionId);
  const notice = { kind, sourceId: row.id, values: valuesOf(row), link: `/app/transaction/${row.id}` };
  if (wasRejected(row)) {
    // Approvals tell the initiator who rejected it and in what words, which says more than this would.
    const others = (await findContacts(tx)).filter(({ userId }) => userId !== row.initiatorId);
    await notify(tx, { ...notice, to: others.map(({ userId }) => userId), mailTo: [] });
    return;
  }
  const mailTo = mailed ? (await peopleConcerned(tx, row)).map(({ userId }) => userId) : [];
  await notify(tx, { ...notice, mailTo, facts: factsOf(row) });
}

function wasRejected({ stage, failureReason }: TransactionRow): boolean {
  return stage === 'refused' && failureReason === endReasons.rejected;
}

/** The one who started a transfer; of a deposit, those who may use the money. */
async function peopleConcerned(tx: Tx, row: TransactionRow): Promise<Contact[]> {
  if (row.initiatorId !== null) return findContacts(tx, row.initiatorId);
  const people = await findPeople(tx);
  const payers = new Set(
    people.filter(({ permissions }) => permissions.includes('transfer.create')).map(({ id }) => id),
  );
  return (await findContacts(tx)).filter(({ userId }) => payers.has(userId));
}

async function find(tx: Tx, id: string): Promise<TransactionRow> {
  const [row] = await readTransactions(tx, [id]);
  invariant(row, `transaction ${id} is there`);
  return row;
}

function valuesOf(row: TransactionRow): NoticeValues {
  const reason = row.failureReason;
  return {
    amount: sayAmount(row.quantityMinor, row.decimals),
    coin: row.coin,
    chain: row.chainName ?? '',
    needed: row.confirmationsNeeded ?? 0,
    payee: row.payeeName ?? row.payeeAccount ?? '',
    reason: { text: reason !== null && hasText('en-us', reason) ? reason : 'stage.reason.other' },
  };
}

function factsOf(row: TransactionRow): NoticeFact[] {
  const facts: [string, string | null][] = [
    ['receipt.amount', `${sayAmount(row.quantityMinor, row.decimals)} ${row.coin}`],
    ['receipt.chain', row.chainName],
    ['receipt.payee', row.direction === 'out' ? row.payeeName : null],
    ['receipt.hash', row.hash],
    ['receipt.id', row.id],
  ];
  return facts.flatMap(([label, value]) => (value ? [{ label, value }] : []));
}

import { sayAmount } from '@causeway/contract/money.ts';
import { transactionLives } from '@causeway/contract/transactions-lives.ts';
import { type Stage, stages } from '@causeway/contract/transactions-rules.ts';
import type { Tx } from '../../platform/database/database.ts';
import { invariant } from '../../platform/domain-error.ts';
import type { JobContext, JobDefinition } from '../../platform/jobs/jobs.ts';
import { hasText } from '../../platform/text/texts.ts';
import { namesOfPlace } from '../banks/index.ts';
import { type Contact, findContacts } from '../identity/index.ts';
import { type NoticeFact, type NoticeValues, notify } from '../notices/index.ts';
import { findPeople } from '../organisation/index.ts';
import { transactionEvents } from './events.ts';
import { bankReasonText } from './service/receipt.ts';
import { isOfBatch, readTransactions, type TransactionRow } from './store/reading.ts';

/** What a company is notified of: the kind of notice for the stage that a transaction has come to; `mailed` also by mail. */
const notices: Partial<Record<Stage, { kind: string; mailed: boolean }>> = {
  returned: { kind: 'paymentReturned', mailed: true },
  credited: { kind: 'depositCredited', mailed: true },
  orphaned: { kind: 'depositOrphaned', mailed: false },
  reversed: { kind: 'depositReversed', mailed: true },
  completed: { kind: 'transferCompleted', mailed: true },
  failed: { kind: 'transferFailed', mailed: true },
  refused: { kind: 'transferFailed', mailed: true },
  cancelled: { kind: 'transferCancelled', mailed: false },
};

/** The job that notifies a company of its transactions. A notice is written once however often its event comes. */
export function transactionNoticeJobs(): JobDefinition[] {
  return [
    {
      name: 'transactions.notice',
      on: [transactionEvents.reached],
      async run({ companyId, database }: JobContext, payload: Record<string, unknown>) {
        const stage = stages.find((known) => known === payload['stage']);
        invariant(stage, 'the event names a stage');
        const notice = notices[stage];
        // Of a deposit there is one notice, once it is credited: that it is on its way is seen on the pages.
        if (!notice) return;
        await database.withCompany(companyId, (tx) =>
          give(tx, String(payload['transactionId']), notice.kind, notice.mailed),
        );
      },
    },
  ];
}

async function give(tx: Tx, transactionId: string, kind: string, mailed: boolean): Promise<void> {
  const row = await find(tx, transactionId);
  if (transactionLives[row.type].notified === 'apart') return;
  // Its batch shows where each row is: thousands of notices of what went well would hide the others.
  if (row.stage !== 'failed' && row.stage !== 'returned' && (await isOfBatch(tx, transactionId))) return;
  const notice = {
    kind: kindOf(row, kind),
    sourceId: row.id,
    values: valuesOf(row),
    link: `/app/transaction/${row.id}`,
  };
  if (wasRejected(row)) {
    // Approvals tell the initiator who rejected it and in what words, which says more than this would.
    const others = (await findContacts(tx)).filter(({ userId }) => userId !== row.initiatorId);
    await notify(tx, { ...notice, to: others.map(({ userId }) => userId), mailTo: [] });
    return;
  }
  const mailTo = mailed ? (await peopleConcerned(tx, row)).map(({ userId }) => userId) : [];
  await notify(tx, { ...notice, mailTo, facts: factsOf(row) });
}

/**
 * Gives a notice about a transaction for a cause of its own: to the company, and by mail to whom it concerns.
 * @param sourceId names the cause, for which the notice is given once
 */
export async function notifyOfTransaction(
  tx: Tx,
  transactionId: string,
  { kind, sourceId }: { kind: string; sourceId: string },
): Promise<void> {
  const row = await find(tx, transactionId);
  const mailTo = (await peopleConcerned(tx, row)).map(({ userId }) => userId);
  const values = valuesOf(row);
  await notify(tx, { kind, sourceId, values, link: `/app/transaction/${row.id}`, mailTo, facts: factsOf(row) });
}

/** What a bank pays is called a payment in notices, and what is exchanged an exchange. */
function kindOf({ type }: TransactionRow, kind: string): string {
  const { approvedAs } = transactionLives[type];
  return approvedAs === null ? kind : kind.replace(/^transfer/, approvedAs);
}

/** The reason of a transaction that an approver rejected; the approver's own words are in the task. */
export const rejectedReason = 'stage.reason.rejected';

function wasRejected({ stage, failureReason }: TransactionRow): boolean {
  return stage === 'refused' && failureReason === rejectedReason;
}

/** The initiator of a transfer; of a deposit, the members who may use the money. */
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
  const says = bankReasonText(row);
  return {
    amount: sayAmount(row.quantityMinor, row.decimals),
    coin: row.coin,
    chain: { in: namesOfPlace(row.place) },
    needed: row.confirmationsNeeded ?? 0,
    payee: row.payeeName ?? row.payeeAccount ?? '',
    bought: row.counterAsset ?? '',
    boughtAmount:
      row.counterQuantityMinor === null ? '' : sayAmount(row.counterQuantityMinor, row.counterDecimals ?? 0),
    said: says === null ? 'no' : 'yes',
    bankSays: says ?? '',
    reason: { text: reason !== null && hasText('en-us', reason) ? reason : 'stage.reason.other' },
  };
}

function factsOf(row: TransactionRow): NoticeFact[] {
  const facts: [string, NoticeFact['value'] | null][] = [
    ['receipt.amount', `${sayAmount(row.quantityMinor, row.decimals)} ${row.coin}`],
    [row.chainId === null ? 'receipt.bank' : 'receipt.chain', { in: namesOfPlace(row.place) }],
    [
      row.direction === 'out' ? 'receipt.payee' : 'receipt.payer',
      row.direction === 'out' ? row.payeeName : row.payerName,
    ],
    ['receipt.hash', row.hash],
    ['receipt.uetr', row.uetr],
    ['receipt.bankReason', bankReasonText(row)],
    ['receipt.id', row.id],
  ];
  return facts.flatMap(([label, value]) => (value ? [{ label, value }] : []));
}

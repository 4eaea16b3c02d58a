import { type Locale, localeOf } from '@causeway/contract/locale.ts';
import { sayAmount } from '@causeway/contract/money.ts';
import type { Tx } from '../../platform/database.ts';
import { invariant } from '../../platform/domain-error.ts';
import type { JobContext, JobDefinition } from '../../platform/jobs.ts';
import { layOut, type Mailer } from '../../platform/mail.ts';
import { announce } from '../../platform/outbox.ts';
import { hasText, translate } from '../../platform/texts.ts';
import { type Contact, findContacts } from '../identity/index.ts';
import { type NoticeValues, notify, render } from '../notices/index.ts';
import { findPeople } from '../organisation/index.ts';
import { transferEvents } from './events.ts';
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

const mailDue = 'transfers.noticeMailDue';

interface MailDue {
  transactionId: string;
  kind: string;
  userId: string;
}

/**
 * The jobs that tell a company of its transactions. A notice is written once however often its event comes; in the same
 * transaction one mail falls due for each person it concerns, so that one failing mailbox delays nobody else's.
 */
export function transferNoticeJobs(deps: { mailer: Mailer; publicUrl: string }): JobDefinition[] {
  const giving = Object.entries(notices).map(([event, { kind, mailed }]) => ({
    name: `transfers.notice.${kind}`,
    on: [event],
    run: ({ companyId, database }: JobContext, payload: Record<string, unknown>) =>
      database.withCompany(companyId, (tx) => give(tx, String(payload['transactionId']), kind, mailed)),
  }));
  return [
    ...giving,
    {
      name: 'transfers.noticeMail',
      on: [mailDue],
      run: (context, payload) => mail(context, deps, payload as unknown as MailDue),
    },
  ];
}

async function give(tx: Tx, transactionId: string, kind: string, mailed: boolean): Promise<void> {
  const row = await find(tx, transactionId);
  const told = await notify(tx, { kind, sourceId: row.id, values: valuesOf(row), link: linkTo(row.id) });
  if (!told || !mailed) return;
  const concerned = await peopleConcerned(tx, row);
  await announce(
    tx,
    concerned.map(({ userId }) => ({ name: mailDue, payload: { transactionId: row.id, kind, userId } })),
  );
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

async function mail(context: JobContext, deps: { mailer: Mailer; publicUrl: string }, due: MailDue): Promise<void> {
  const { row, contact } = await context.database.withCompany(context.companyId, async (tx) => ({
    row: await find(tx, due.transactionId),
    contact: (await findContacts(tx, due.userId))[0],
  }));
  // Disabled since.
  if (!contact) return;
  const locale = localeOf(contact.language);
  const { title, body } = render(due.kind, valuesOf(row), locale);
  const letter = {
    subject: title,
    paragraphs: [body],
    facts: factsOf(row, locale),
    link: { label: translate(locale, 'transaction.mailLink'), url: new URL(linkTo(row.id), deps.publicUrl).href },
  };
  await deps.mailer.send(layOut(contact.email, locale, letter));
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

function factsOf(row: TransactionRow, locale: Locale): { label: string; value: string }[] {
  const facts: [string, string | null][] = [
    ['amount', `${sayAmount(row.quantityMinor, row.decimals)} ${row.coin}`],
    ['chain', row.chainName],
    ['payee', row.direction === 'out' ? row.payeeName : null],
    ['hash', row.hash],
    ['id', row.id],
  ];
  return facts.flatMap(([name, value]) => (value ? [{ label: translate(locale, `receipt.${name}`), value }] : []));
}

function linkTo(transactionId: string): string {
  return `/app/transaction/${transactionId}`;
}

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { keepMessage, readMessages } from '../features/banks/index.ts';
import { nilCompany } from '../features/identity/index.ts';
import { settleMoneys } from '../features/rails/index.ts';
import { bal, document, header, ntry, stmt } from './bank-messages.ts';
import type { TestDatabase } from './database.ts';

/** Files of the test's bank (`openTestBank`) and what becomes of them. */

const testBank = 'harbour-hk';
/** The installation's own account in Hong Kong dollars there. */
const collecting = '998001000000001';

export interface TestBooking {
  /** In whole units. */
  amount: string;
  sign?: 'CRDT' | 'DBIT';
  date?: string | undefined;
  /** AcctSvcrRef of the entry. */
  ref?: string | undefined;
  reversal?: boolean;
  details?: TestDetail[];
  /** NbOfTxs of the batch. */
  batch?: number;
  /** AddtlNtryInf. */
  words?: string;
}

export interface TestDetail {
  amount?: string;
  ref?: string;
  tx?: string;
  e2e?: string;
  uetr?: string;
  to?: string;
  payer?: string;
  payerAccount?: string;
  text?: string;
  creditorReference?: string;
  /** Of what comes back: the code of the reason. */
  returned?: string;
  /** What the bank says beside it, in as many pieces. */
  returnedWords?: readonly string[];
}

const tag = (name: string, text: string | undefined) => (text === undefined ? '' : `<${name}>${text}</${name}>`);
const other = (name: string, id: string | undefined) =>
  id === undefined ? '' : `<${name}><Id><Othr><Id>${id}</Id></Othr></Id></${name}>`;

function detail({
  amount,
  ref,
  tx,
  e2e,
  uetr,
  to,
  payer,
  payerAccount,
  text,
  creditorReference,
  returned,
  returnedWords = [],
}: TestDetail): string {
  const refs = tag('AcctSvcrRef', ref) + tag('EndToEndId', e2e) + tag('UETR', uetr) + tag('TxId', tx);
  const parties =
    (payer === undefined ? '' : `<Dbtr><Pty><Nm>${payer}</Nm></Pty></Dbtr>`) +
    other('DbtrAcct', payerAccount) +
    other('CdtrAcct', to);
  const structured =
    creditorReference === undefined ? '' : `<Strd><CdtrRefInf><Ref>${creditorReference}</Ref></CdtrRefInf></Strd>`;
  return `<TxDtls>${refs === '' ? '' : `<Refs>${refs}</Refs>`}${
    amount === undefined ? '' : `<Amt Ccy="HKD">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd>`
  }${parties === '' ? '' : `<RltdPties>${parties}</RltdPties>`}${
    text === undefined && structured === '' ? '' : `<RmtInf>${tag('Ustrd', text)}${structured}</RmtInf>`
  }${returned === undefined ? '' : `<RtrInf><Rsn><Cd>${returned}</Cd></Rsn>${returnedWords.map((words) => tag('AddtlInf', words)).join('')}</RtrInf>`}</TxDtls>`;
}

function entryOf({
  amount,
  sign = 'CRDT',
  date = '2026-11-20',
  ref,
  reversal,
  details = [],
  batch,
  words,
}: TestBooking): string {
  const inner = (batch === undefined ? '' : `<Btch><NbOfTxs>${batch}</NbOfTxs></Btch>`) + details.map(detail).join('');
  return ntry({
    amount,
    currency: 'HKD',
    sign,
    state: `${reversal ? '<RvslInd>true</RvslInd>' : ''}<Sts><Cd>BOOK</Cd></Sts>`,
    rest: `<BookgDt><Dt>${date}</Dt></BookgDt><ValDt><Dt>${date}</Dt></ValDt>${tag('AcctSvcrRef', ref)}<BkTxCd/>${
      inner === '' ? '' : `<NtryDtls>${inner}</NtryDtls>`
    }${tag('AddtlNtryInf', words)}`,
  });
}

const account = (number: string) => `<Acct><Id><Othr><Id>${number}</Id></Othr></Id><Ccy>HKD</Ccy></Acct>`;
let lastId = 0;

/** A camt.054: announced as soon as booked. */
export function notification(bookings: readonly TestBooking[], { id = `N-${++lastId}`, of = collecting } = {}): string {
  const body = `<Ntfctn><Id>${id}</Id>${account(of)}${bookings.map(entryOf).join('')}</Ntfctn>`;
  return document('camt.054.001.08', 'BkToCstmrDbtCdtNtfctn', header.replace('MSG-1', `M-${id}`) + body);
}

const cents = (text: string) => Math.round(Number(text) * 100);
const whole = (value: number) => (Math.abs(value) / 100).toFixed(2);

/** A camt.053: a day's bookings between two balances, of which the closing one follows unless it is given. */
export function dayStatement(
  bookings: readonly TestBooking[],
  { id = `S-${++lastId}`, of = collecting, opening = '0.00', date = '2026-11-20', closing = '' } = {},
): string {
  const end = bookings.reduce(
    (sum, { amount, sign }) => sum + (sign === 'DBIT' ? -1 : 1) * cents(amount),
    cents(opening),
  );
  const isOverdrawn = opening.startsWith('-');
  const balances =
    bal('OPBD', opening.replace('-', ''), { currency: 'HKD', date, sign: isOverdrawn ? 'DBIT' : 'CRDT' }) +
    bal('CLBD', closing || whole(end), { currency: 'HKD', date, sign: end < 0 ? 'DBIT' : 'CRDT' });
  const entries = bookings.map((booking) => entryOf({ date, ...booking })).join('');
  const body = stmt({ id, account: account(of), balances, entries });
  return document('camt.053.001.08', 'BkToCstmrStmt', header.replace('MSG-1', `M-${id}`) + body);
}

let lastName = 0;

/** Stores a file as the worker does when it fetched it; returns whether it is new. */
export async function keepFile(db: TestDatabase, content: string, name = `file-${++lastName}.xml`): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-intake-'));
  try {
    const path = join(folder, 'file');
    await writeFile(path, content);
    return (await keepMessage(db.worker, { bank: testBank, name, path, source: 'files' })) === null;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Stores, reads and posts. */
export async function takeIn(db: TestDatabase, content: string, name?: string): Promise<boolean> {
  const isNew = await keepFile(db, content, name);
  await readMessages(db.worker);
  await settleMoneys(db.worker);
  return isNew;
}

export interface MoneyRow {
  id: string;
  amount: bigint;
  state: string;
  matchedBy: string | null;
  unmatched: string | null;
  announced: boolean;
  booked: boolean;
  suggestions: { why: string; companyId: string }[];
}

/** The moneys of an account of the installation, in the order in which they were read. */
export async function moneysOf(db: TestDatabase, account = collecting): Promise<MoneyRow[]> {
  const { rows } = await db.operator.withoutCompany((tx) =>
    sql<MoneyRow>`
      select m.id, amount, state, matched_by as "matchedBy", unmatched, announced_entry_id is not null as announced,
        booked_entry_id is not null as booked, suggestions
      from bank_money m join bank_collection c on c.id = m.collection_id where c.number = ${account} order by m.id`.execute(
      tx,
    ),
  );
  return rows;
}

/** A company's figures of a wallet, minor units; without those that are nothing. */
export async function figuresOf(db: TestDatabase, companyId: string, ownerId: string): Promise<Record<string, bigint>> {
  const { rows } = await db.worker.withCompany(companyId, (tx) =>
    sql<{ kind: string; balance: bigint }>`
      select kind, balance from ledger_account where company_id = company_id() and owner_id = ${ownerId} and balance <> 0`.execute(
      tx,
    ),
  );
  return Object.fromEntries(rows.map(({ kind, balance }) => [kind, balance]));
}

/** What the installation holds without knowing whose it is, at its own account of this number, by account of the ledger in minor units. */
export async function suspenseOf(db: TestDatabase, number: string): Promise<Record<string, bigint>> {
  const { rows } = await db.operator.withoutCompany((tx) =>
    sql<{ id: string }>`select id from bank_collection where number = ${number}`.execute(tx),
  );
  return figuresOf(db, nilCompany, rows[0]?.id ?? nilCompany);
}

/** The company's deposits at banks, the oldest first. */
export async function depositsOf(db: TestDatabase, companyId: string): Promise<Record<string, unknown>[]> {
  const { rows } = await db.worker.withCompany(companyId, (tx) =>
    sql<Record<string, unknown>>`
      select t.status, t.stage, t.quantity, t.fee, t.payer_name as payer, t.description, t.value_date::text as "valueDate", t.bank_reference as "bankReference",
        b.reference, b.end_to_end as "endToEnd"
      from transaction t join bank_credit b on b.company_id = t.company_id and b.transaction_id = t.id
      where t.company_id = company_id() and t.type = 'fiat_deposit' order by t.id`.execute(tx),
  );
  return rows;
}

import type {
  addBankPayee,
  BankPayee,
  checkBankPayee,
  editBankPayee,
  getBankPayee,
  labelBankPayee,
  listBankPayees,
} from '@causeway/contract/bank-payees.ts';
import type { Body, OutputInput, Query } from '@causeway/contract/call.ts';
import { systemRoleIds } from '@causeway/contract/permission.ts';
import { audit } from '../../../platform/audit/record.ts';
import { databaseError, type Tx } from '../../../platform/database/database.ts';
import { readPage } from '../../../platform/database/list.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { DomainError, invariant } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { actorOf, type SignedInContext } from '../../../platform/session.ts';
import { findBanks, isOwnBankAccount } from '../../banks/index.ts';
import { refusal } from '../../ledger/index.ts';
import { notify } from '../../notices/index.ts';
import { findCompanySettings, findPeople, lockOrganisation } from '../../organisation/index.ts';
import { accountSaved, payeeAdded } from '../events.ts';
import {
  accountKey,
  accountNames,
  type BankAccount,
  foldedName,
  isSameAccount,
  nameLikeness,
  readAccount,
  wayOf,
} from './account.ts';
import { accountInLog, type BankPayeeApprovalPort, takeOutBank } from './approval.ts';
import {
  type AccountAtPayee,
  type BankPayeeRow,
  bankPayeeList,
  changeAccount,
  findAlike,
  findBankPayee,
  findEarlier,
  findKnown,
  findVersion,
  insertBankPayee,
  lockBankPayee,
  payeeOf,
  setBankWords,
} from './store.ts';
import { asBankPayee, asVersion, bankNameOf } from './view.ts';

/** What the bank payees ask of the features to their right; composed in compose.ts. */
export interface BankPayeesPorts {
  /** Whether an account is on the company's black list. */
  isBlacklisted(tx: Tx, accountKind: 'bank_no', account: string): Promise<boolean>;
  /** Asks a second person for approval, where new payees need it. */
  bankApproval: BankPayeeApprovalPort;
}

type Context = SignedInContext & BankPayeesPorts;

/** @throws DomainError cursorInvalid */
export async function list(
  tx: Tx,
  context: Context,
  query: Query<typeof listBankPayees>,
): Promise<OutputInput<typeof listBankPayees>> {
  const { changedPayeeDays: changedDays } = await findCompanySettings(tx);
  const page = await readPage(tx, bankPayeeList, query, { off: await switchedOff(tx), changedDays });
  return { ...page, items: await describe(tx, context, page.items.map(payeeOf)) };
}

/** @throws DomainError payeeNotFound */
export async function get(tx: Tx, context: Context, { id }: { id: string }): Promise<OutputInput<typeof getBankPayee>> {
  const row = await findBankPayee(tx, id);
  if (!row) throw new DomainError('payeeNotFound');
  const { version } = row;
  const key = accountKey(version);
  return {
    ...(await describeOne(tx, context, row)),
    earlier: (await findEarlier(tx, row)).map((each) => asVersion(each, context.locale)),
    alike: await findAlike(tx, { likeness: nameLikeness(version.name), key, except: id }),
  };
}

/**
 * Saves a payee with its account, which waits for approval where new payees need it; its bank is asked about the name afterwards.
 * @throws DomainError accountBlacklisted, bankAccountOwn, payeeNameLatin, payeeAccountExists, payeeNobodyApproves, idTaken
 */
export async function add(tx: Tx, context: Context, body: Body<typeof addBankPayee>): Promise<BankPayee> {
  // The setting, and who could approve, stay as they are until this is written; and payees are numbered one after another.
  await lockOrganisation(tx);
  const { approveNewPayees } = await findCompanySettings(tx);
  const account = readAccount(body);
  await refuse(tx, context, account);
  const { session } = context;
  const [payeeId, versionId] = [body.id ?? newId(), newId()];
  const at = atPayee(account, approveNewPayees);
  const words = { label: body.label, remark: body.remark ?? '' };
  await unlessTaken(insertBankPayee(tx, { payeeId, versionId, account, at, by: session, ...words }));
  const row = await found(tx, payeeId);
  await audit(tx, {
    actor: actorOf(context),
    action: 'payees.add',
    subjectKind: 'payee',
    subjectId: payeeId,
    detail: { ...accountInLog(row), needsApproval: approveNewPayees },
  });
  const place = bankNameOf(account, context.locale) ?? account.country;
  const added = { id: payeeId, label: body.label, chain: place, coin: account.currency, address: account.account };
  await announce(tx, [
    live('payee', payeeId),
    payeeAdded(context, { ...added, kind: 'bank' }),
    accountSaved(versionId),
  ]);
  if (approveNewPayees) await context.bankApproval.ask(tx, context, row, null);
  return describeOne(tx, context, row);
}

/**
 * Changes the account: the old one is kept, administrators are notified, and where new payees need approval the new account does. The same
 * account again changes nothing.
 * @throws DomainError payeeNotFound, payeeNotEditable (it waits), payeeChanged (by another member meanwhile), and what `add` throws
 */
export async function edit(tx: Tx, context: Context, body: Body<typeof editBankPayee>): Promise<BankPayee> {
  await lockOrganisation(tx);
  const { approveNewPayees } = await findCompanySettings(tx);
  const before = await lockBankPayee(tx, body.id);
  if (!before) throw new DomainError('payeeNotFound');
  if (before.status === 'waiting') throw new DomainError('payeeNotEditable');
  const known = await findVersion(tx, body.versionId);
  if (known?.payeeId !== before.id) throw new DomainError('payeeNotFound');
  if (before.versionId !== known.id) throw new DomainError('payeeChanged');
  const account = readAccount(body);
  if (isSameAccount(account, before.version)) return describeOne(tx, context, before);
  await refuse(tx, context, account);
  const { session } = context;
  const versionId = newId();
  const at = atPayee(account, approveNewPayees);
  await unlessTaken(changeAccount(tx, { payeeId: body.id, versionId, account, at, by: session }));
  const row = await found(tx, body.id);
  const { label, ...after } = accountInLog(row);
  const { label: _, ...old } = accountInLog(before);
  await audit(tx, {
    actor: actorOf(context),
    action: 'payees.editAccount',
    subjectKind: 'payee',
    subjectId: body.id,
    detail: { before: old, after, label, needsApproval: approveNewPayees },
  });
  await announce(tx, [live('payee', body.id), accountSaved(versionId)]);
  await notifyAdministrators(tx, context, before, row);
  if (approveNewPayees) await context.bankApproval.ask(tx, context, row, before.version);
  return describeOne(tx, context, row);
}

/** A changed account is how invoices are forged: those who run the company hear of each, their own changes included. */
async function notifyAdministrators(
  tx: Tx,
  { session }: Context,
  before: BankPayeeRow,
  after: BankPayeeRow,
): Promise<void> {
  const people = await findPeople(tx);
  const to = people.filter(({ roleId, status }) => roleId === systemRoleIds.administrator && status === 'active');
  await notify(tx, {
    kind: 'payeeChanged',
    sourceId: after.versionId,
    values: { payee: after.label, by: session.userName },
    link: `/app/payee/bank/${after.id}?tab=bank`,
    to: to.map(({ id }) => id),
    facts: [
      { label: 'notice.payeeChanged.before', value: `${before.version.name} · ${before.version.account}` },
      { label: 'notice.payeeChanged.after', value: `${after.version.name} · ${after.version.account}` },
    ],
  });
}

/** Changes label and remark. While an account waits for approval, they stay as its approvers see them. @throws DomainError payeeNotFound, payeeNotEditable */
export async function relabel(tx: Tx, context: Context, body: Body<typeof labelBankPayee>): Promise<BankPayee> {
  const row = await lockBankPayee(tx, body.id);
  if (!row) throw new DomainError('payeeNotFound');
  if (row.status === 'waiting') throw new DomainError('payeeNotEditable');
  const { id, label, remark } = body;
  if (row.label !== label || row.remark !== remark) {
    await setBankWords(tx, { id, label, remark });
    const { label: _, ...account } = accountInLog(row);
    const before = { label: row.label, remark: row.remark };
    await audit(tx, {
      actor: actorOf(context),
      action: 'payees.edit',
      subjectKind: 'payee',
      subjectId: id,
      detail: { before, after: { label, remark }, ...account },
    });
    await announce(tx, [live('payee', id)]);
  }
  return describeOne(tx, context, { ...row, label, remark });
}

/** Deletes a payee, and ends the task of an account that waits for approval. @throws DomainError payeeNotFound */
export async function remove(tx: Tx, context: Context, { id }: { id: string }): Promise<void> {
  const row = await findBankPayee(tx, id);
  if (!row) throw new DomainError('payeeNotFound');
  await context.bankApproval.withdraw(tx, context, row.versionId);
  if (!(await takeOutBank(tx, context, row))) throw new DomainError('payeeNotFound');
}

/** What saving an account would say. @throws DomainError payeeNotFound, accountBlacklisted, bankAccountOwn, payeeNameLatin */
export async function check(
  tx: Tx,
  context: Context,
  body: Body<typeof checkBankPayee>,
): Promise<OutputInput<typeof checkBankPayee>> {
  if (body.id !== undefined && !(await findBankPayee(tx, body.id))) throw new DomainError('payeeNotFound');
  const account = readAccount(body);
  await refuse(tx, context, account);
  const key = accountKey(account);
  const except = body.id ?? null;
  return {
    bankName: bankNameOf(account, context.locale),
    folded: foldedName(account),
    knownAs: await findKnown(tx, key, account.currency, except),
    alike: await findAlike(tx, { likeness: nameLikeness(account.name), key, except }),
  };
}

/** @throws DomainError accountBlacklisted, bankAccountOwn, payeeNameLatin */
async function refuse(tx: Tx, { isBlacklisted }: Context, account: BankAccount): Promise<void> {
  const folded = foldedName(account);
  if (folded && !/[A-Za-z0-9]/.test(folded.text)) {
    throw refusal('payeeNameLatin', {}, account.holder === 'personal' ? 'lastName' : 'enterpriseName');
  }
  const field = wayOf(account).account;
  const names = accountNames(account);
  if (await isOwnBankAccount(tx, names)) throw refusal('bankAccountOwn', {}, field);
  for (const name of names)
    if (await isBlacklisted(tx, 'bank_no', name)) throw refusal('accountBlacklisted', {}, field);
}

function atPayee(account: BankAccount, approve: boolean): AccountAtPayee {
  const { needsStructuredAddress } = wayOf(account);
  return {
    key: accountKey(account),
    names: accountNames(account),
    likeness: nameLikeness(account.name),
    needsAddress: needsStructuredAddress && !account.details.town,
    approval: approve ? 'waiting' : 'none',
  };
}

/** @throws DomainError payeeAccountExists, idTaken */
async function unlessTaken(writing: Promise<void>): Promise<void> {
  try {
    await writing;
  } catch (error) {
    const constraint = databaseError(error)?.constraint;
    if (constraint === 'bank_payee_account') throw new DomainError('payeeAccountExists');
    if (constraint === 'bank_payee_pkey') throw new DomainError('idTaken');
    throw error;
  }
}

async function found(tx: Tx, id: string): Promise<BankPayeeRow> {
  const row = await findBankPayee(tx, id);
  invariant(row, `payee ${id} has been written`);
  return row;
}

/** Currencies that banks of the installation carry, each of them switched off (decisions, "Payees"). */
async function switchedOff(tx: Tx): Promise<string[]> {
  const carried = (await findBanks(tx)).flatMap((bank) =>
    bank.currencies.map(({ asset, enabled }) => ({ asset, on: bank.enabled && enabled })),
  );
  const on = new Set(carried.flatMap((each) => (each.on ? [each.asset] : [])));
  return [...new Set(carried.map(({ asset }) => asset))].filter((asset) => !on.has(asset));
}

async function describeOne(tx: Tx, context: Context, row: BankPayeeRow): Promise<BankPayee> {
  const [payee] = await describe(tx, context, [row]);
  invariant(payee, 'one payee is described');
  return payee;
}

async function describe(tx: Tx, context: Context, rows: readonly BankPayeeRow[]): Promise<BankPayee[]> {
  const { changedPayeeDays } = await findCompanySettings(tx);
  const off = await switchedOff(tx);
  const undecided = rows.flatMap(({ versionId, status }) =>
    ['waiting', 'rejected'].includes(status) ? [versionId] : [],
  );
  const approvals = undecided.length === 0 ? new Map() : await context.bankApproval.describe(tx, context, undecided);
  const { locale, clock } = context;
  return rows.map((row) =>
    asBankPayee(row, {
      locale,
      now: clock.now(),
      changedPayeeDays,
      off,
      approval: approvals.get(row.versionId) ?? null,
    }),
  );
}

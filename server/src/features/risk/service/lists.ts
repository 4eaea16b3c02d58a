import type { Body, OutputInput, Query } from '@causeway/contract/call.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import type {
  addListEntry,
  editListEntry,
  ListEntry,
  listNamelist,
  listNamelistLogs,
  RiskSetting,
  setRiskSetting,
} from '@causeway/contract/risk-lists.ts';
import type { ListAccountType, ListKind } from '@causeway/contract/risk-rules.ts';
import type { AuditAction } from '../../../platform/audit/events.ts';
import { audit } from '../../../platform/audit/record.ts';
import { databaseError, type Tx, together } from '../../../platform/database/database.ts';
import { readPage } from '../../../platform/database/list.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { DomainError, invariant } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { actorOf, type SignedInContext } from '../../../platform/session.ts';
import { type ChainFamilies, familyOfAddress } from '../../chains/index.ts';
import { refusal } from '../../ledger/index.ts';
import { tellRuleManagers } from '../../notices/index.ts';
import { findCompanySettings } from '../../organisation/index.ts';
import { setUsability } from '../../payees/index.ts';
import { accountKey, readListAccount } from '../accounts.ts';
import { type Day, dayIn } from '../calendar.ts';
import { riskEvents } from '../events.ts';
import { lockCompany } from '../store/judging.ts';
import {
  type EntryRow,
  entryList,
  findEntry,
  findListed,
  insertEntries,
  isOnBlacklist,
  markEntryDeleted,
  type NewEntry,
  readSetting,
  saveSetting,
  updateEntry,
} from '../store/lists.ts';
import { type EntryState, entryLogList, type LogRow, logEntryChanges } from '../store/log.ts';
import { limitCents, shownLimits, usdOf } from './figures.ts';
import { asHit } from './hits.ts';

/** @throws DomainError cursorInvalid */
export async function listEntries(
  tx: Tx,
  _context: SignedInContext,
  query: Query<typeof listNamelist>,
): Promise<OutputInput<typeof listNamelist>> {
  const page = await readPage(tx, entryList, query, { today: await today(tx) });
  return { ...page, items: page.items.map(asEntry) };
}

/**
 * Puts an account on a list. Blacklisting makes its payees unusable in the same transaction, and what is pending to it is
 * judged again.
 * @throws DomainError addressChecksum, addressInvalid, bankAccountInvalid, ibanChecksum, idTaken, listEntryExists,
 *   listEntryOnOtherList
 */
export async function addEntry(
  tx: Tx,
  context: SignedInContext,
  families: ChainFamilies,
  body: Body<typeof addListEntry>,
): Promise<ListEntry> {
  const { account, key } = readListAccount(families, body.payeeType, body.account);
  const limits = body.limits === undefined ? null : limitCents(body.limits);
  const entry = { id: body.id ?? newId(), payeeType: body.payeeType, account, key, remark: body.remark ?? '', limits };
  await lockCompany(tx);
  await refuseTaken(tx, [entry], body.kind);
  await addEntries(tx, context, families, body.kind, [entry]);
  return entryAsKept(tx, entry.id);
}

/** @throws DomainError listEntryExists, listEntryOnOtherList when one of the accounts is on a list */
export async function refuseTaken(tx: Tx, entries: readonly NewEntry[], kind: ListKind): Promise<void> {
  const listed = await findListed(
    tx,
    entries.map(({ payeeType, key }) => ({ type: payeeType, key })),
  );
  const [first] = listed.values();
  if (first !== undefined) throw refusal(first === kind ? 'listEntryExists' : 'listEntryOnOtherList', {}, 'account');
}

/** Adds entries whose accounts were read and found on no list, with everything that goes with it. */
export async function addEntries(
  tx: Tx,
  context: SignedInContext,
  families: ChainFamilies,
  kind: ListKind,
  entries: readonly NewEntry[],
): Promise<void> {
  const byName = context.session.userName;
  try {
    await insertEntries(tx, kind, entries, byName);
  } catch (error) {
    const constraint = databaseError(error)?.constraint;
    if (constraint === 'risk_list_entry_account') throw refusal('listEntryExists', {}, 'account');
    if (constraint === 'risk_list_entry_pkey') throw new DomainError('idTaken');
    throw error;
  }
  const changes = entries.map(({ id, remark, limits }) => {
    const after = { remark, limits: limits && shownLimits(limits) };
    return { subjectId: id, action: 'added', byName, before: null, after };
  });
  await logEntryChanges(tx, kind, changes);
  const audits = entries.map(({ id, payeeType, account, remark, limits }) =>
    auditEntry(tx, context, 'risk.addEntry', id, {
      kind,
      payeeType,
      account,
      remark,
      ...(limits ? { limits: shownLimits(limits) } : {}),
    }),
  );
  await together(audits);
  await spread(tx, families, kind, entries, false);
}

/** @throws DomainError listEntryNotFound; validationFailed when a black entry is given limits */
export async function editEntry(
  tx: Tx,
  context: SignedInContext,
  families: ChainFamilies,
  body: Body<typeof editListEntry>,
): Promise<ListEntry> {
  const before = await findEntry(tx, body.id, await today(tx));
  if (before?.status !== 'in_use') throw new DomainError('listEntryNotFound');
  if (before.kind === 'black' && body.limits !== undefined) {
    throw new DomainError('validationFailed', {}, { limits: 'field.limitsRequired' });
  }
  const limits = body.limits === undefined ? null : limitCents(body.limits);
  if (!(await updateEntry(tx, body.id, { remark: body.remark ?? null, limits }))) {
    throw new DomainError('listEntryNotFound');
  }
  const after = await entryAsKept(tx, body.id);
  const states = { before: stateOf(asEntry(before)), after: stateOf(after) };
  const byName = context.session.userName;
  await logEntryChanges(tx, before.kind, [{ subjectId: body.id, action: 'edited', byName, ...states }]);
  await auditEntry(tx, context, 'risk.editEntry', body.id, { account: before.account, ...states });
  await spread(tx, families, before.kind, [], true);
  return after;
}

/** @throws DomainError listEntryNotFound */
export async function removeEntry(
  tx: Tx,
  context: SignedInContext,
  families: ChainFamilies,
  id: string,
): Promise<null> {
  const byName = context.session.userName;
  const entry = await findEntry(tx, id, await today(tx));
  if (!entry || !(await markEntryDeleted(tx, id, byName))) throw new DomainError('listEntryNotFound');
  const before = stateOf(asEntry(entry));
  await logEntryChanges(tx, entry.kind, [{ subjectId: id, action: 'deleted', byName, before, after: null }]);
  await auditEntry(tx, context, 'risk.deleteEntry', id, { kind: entry.kind, account: entry.account, ...before });
  await spread(tx, families, entry.kind, [entry], true);
  return null;
}

/** @throws DomainError cursorInvalid, listEntryNotFound */
export async function listLogs(
  tx: Tx,
  { locale }: Pick<SignedInContext, 'locale'>,
  query: Query<typeof listNamelistLogs>,
): Promise<OutputInput<typeof listNamelistLogs>> {
  const { entryId } = query;
  if (entryId !== undefined && !(await findEntry(tx, entryId, await today(tx)))) {
    throw new DomainError('listEntryNotFound');
  }
  const page = await readPage(tx, entryLogList, query, undefined);
  return { ...page, items: page.items.map((row) => asLog(row, locale)) };
}

export async function getSetting(tx: Tx): Promise<RiskSetting> {
  const { onlyWhitelisted, updatedAt, updatedBy } = await readSetting(tx);
  return { onlyWhitelisted, updatedAt: updatedAt?.toISOString() ?? null, updatedBy };
}

export async function setSetting(
  tx: Tx,
  context: SignedInContext,
  { onlyWhitelisted }: Body<typeof setRiskSetting>,
): Promise<RiskSetting> {
  const { session } = context;
  const before = await readSetting(tx);
  await saveSetting(tx, onlyWhitelisted, { id: session.userId, name: session.userName });
  if (before.onlyWhitelisted && !onlyWhitelisted) {
    await tellRuleManagers(tx, 'onlyWhitelistedOff', { by: session.userName, link: '/app/risk-setting/whitelist' });
  }
  await audit(tx, {
    actor: actorOf(context),
    action: 'risk.setOnlyWhitelisted',
    subjectKind: 'company',
    subjectId: session.companyId,
    detail: { whitelistOnly: { before: before.onlyWhitelisted, after: onlyWhitelisted } },
  });
  await announce(tx, [
    { name: riskEvents.listChanged, payload: { entryId: null, kind: 'setting' } },
    live('control', null),
  ]);
  return getSetting(tx);
}

/** For the payee book: a blacklisted account cannot be saved. */
export function isBlacklisted(
  tx: Tx,
  families: ChainFamilies,
  accountKind: ListAccountType,
  account: string,
): Promise<boolean> {
  return isOnBlacklist(tx, accountKind, accountKey(families, accountKind, account));
}

/** What follows from a changed list: payees of a black account, what is pending, open pages. */
async function spread(
  tx: Tx,
  families: ChainFamilies,
  kind: ListKind,
  entries: readonly Pick<NewEntry, 'id' | 'payeeType' | 'account'>[],
  usable: boolean,
): Promise<void> {
  const changed: string[] = [];
  if (kind === 'black') {
    for (const accountKind of ['crypto_address', 'bank_no'] as const) {
      const accounts = entries
        .filter(({ payeeType }) => payeeType === accountKind)
        .map(({ account }) => ({ account, likeness: familyOfAddress(families, account)?.likeness(account) ?? '' }));
      if (accounts.length > 0) changed.push(...(await setUsability(tx, { accountKind, accounts }, usable)));
    }
  }
  const [first] = entries;
  await announce(tx, [
    {
      name: riskEvents.listChanged,
      payload: { entryId: entries.length === 1 && first ? first.id : null, kind },
    },
    live('control', null),
    ...(changed.length > 0 ? [live('payee', null)] : []),
  ]);
}

async function auditEntry(
  tx: Tx,
  context: SignedInContext,
  action: AuditAction,
  subjectId: string,
  detail: Record<string, unknown>,
): Promise<void> {
  await audit(tx, { actor: actorOf(context), action, subjectKind: 'riskListEntry', subjectId, detail });
}

export async function today(tx: Tx): Promise<Day> {
  return dayIn((await findCompanySettings(tx)).timeZone, new Date());
}

async function entryAsKept(tx: Tx, id: string): Promise<ListEntry> {
  const row = await findEntry(tx, id, await today(tx));
  invariant(row, 'an entry that was written is there');
  return asEntry(row);
}

export function asEntry(row: EntryRow): ListEntry {
  const { singleCents, dailyCents, cumulativeCents } = row;
  const limits =
    singleCents === null || dailyCents === null || cumulativeCents === null
      ? null
      : shownLimits({ single: singleCents, daily: dailyCents, cumulative: cumulativeCents });
  return {
    id: row.id,
    kind: row.kind,
    payeeType: row.payeeType,
    account: row.account,
    remark: row.remark,
    status: row.status,
    limits,
    used: limits && { daily: usdOf(row.todayCents), cumulative: usdOf(row.countedCents) },
    hitCount: row.hitCount,
    createdAt: row.createdAt.toISOString(),
    createdBy: row.createdByName,
    deletedAt: row.deletedAt?.toISOString() ?? null,
    deletedBy: row.deletedByName,
  };
}

function stateOf({ remark, limits }: ListEntry): EntryState {
  return { remark, limits };
}

type Log = OutputInput<typeof listNamelistLogs>['items'][number];

function asLog(row: LogRow, locale: Locale): Log {
  const { account, payeeType, listKind } = row;
  invariant(account !== null && payeeType !== null && listKind !== null, 'a line of the lists names an account');
  const own = { id: row.id, at: row.at.toISOString(), entryId: row.subjectId, kind: listKind, payeeType, account };
  if (row.type === 'hit') return { type: 'hit', ...own, hit: asHit(row, locale) };
  return {
    type: 'change',
    ...own,
    by: row.actorName ?? '',
    action: row.action as 'added' | 'edited' | 'deleted',
    before: row.before as EntryState | null,
    after: row.after as EntryState | null,
  };
}

import type { Body, OutputInput, Query } from '@causeway/contract/call.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import type * as calls from '@causeway/contract/operator-companies.ts';
import { audit } from '../../../platform/audit/record.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { readPage } from '../../../platform/database/list.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { actorOf, type OperatorContext } from '../../../platform/session.ts';
import { endInvitation, makeInvitation } from '../../identity/index.ts';
import { roleNameOf } from '../../organisation/index.ts';
import { findPrices, formatUsd, isStale, usdValue } from '../../rates/index.ts';
import { lookAt } from './look.ts';
import {
  type CompanyRow,
  companyList,
  findCompany,
  findHoldings,
  findPeopleOf,
  findVolume,
  findWalletsOf,
  type HoldingRow,
  insertNote,
  invitationList,
  noteList,
  type WalletFigures,
} from './store.ts';

/** Companies as the operator sees them: read-only, and what operators write about them. */

/** @throws DomainError cursorInvalid */
export async function list(
  tx: Tx,
  _context: OperatorContext,
  query: Query<typeof calls.listCompanies>,
): Promise<OutputInput<typeof calls.listCompanies>> {
  const page = await readPage(tx, companyList, query, undefined);
  const holdings = await findHoldings(
    tx,
    page.items.map(({ id }) => id),
  );
  const centsOf = await valuing(tx);
  return { ...page, items: page.items.map((row) => shown(row, holdings, centsOf)) };
}

/** The file of a company. The look is in the operator's audit log. @throws DomainError notFound */
export async function get(
  tx: Tx,
  context: OperatorContext,
  { id }: { id: string },
): Promise<OutputInput<typeof calls.getCompany>> {
  const row = await lookAt(tx, context, id);
  const [holdings, people, wallets, volume] = [
    await findHoldings(tx, [id]),
    await findPeopleOf(tx, id),
    await findWalletsOf(tx, id, context.locale),
    await findVolume(tx, id),
  ];
  const centsOf = await valuing(tx);
  return {
    ...shown(row, holdings, centsOf),
    baseCurrency: row.baseCurrency,
    people: people.map(({ roleId, ownRole, lastSignInAt, ...person }) => ({
      ...person,
      role: roleNameOf(roleId, ownRole, context.locale),
      lastSignInAt: lastSignInAt?.toISOString() ?? null,
    })),
    wallets: wallets.map((wallet) => shownWallet(wallet, centsOf)),
    volume: volume.map(({ month, inCents, outCents, count }) => ({
      month,
      in: formatUsd(inCents),
      out: formatUsd(outCents),
      count,
    })),
    fees: feesOf(wallets),
  };
}

/** @throws DomainError notFound, cursorInvalid */
export async function listNotes(
  tx: Tx,
  _context: OperatorContext,
  { id, ...query }: Query<typeof calls.listCompanyNotes> & { id: string },
): Promise<OutputInput<typeof calls.listCompanyNotes>> {
  if (!(await findCompany(tx, id))) throw new DomainError('notFound');
  const page = await readPage(tx, noteList, query, id);
  return {
    ...page,
    items: page.items.map(({ operatorId, operatorName, at, ...note }) => ({
      ...note,
      at: at.toISOString(),
      by: { id: operatorId, name: operatorName },
    })),
  };
}

/** @throws DomainError notFound */
export async function addNote(
  tx: Tx,
  context: OperatorContext,
  { id: companyId, text }: Body<typeof calls.addCompanyNote> & { id: string },
): Promise<{ id: string }> {
  const company = await findCompany(tx, companyId);
  if (!company) throw new DomainError('notFound');
  const id = newId();
  await insertNote(tx, { id, companyId, operatorId: context.session.userId, text });
  await audit(tx, {
    actor: actorOf(context),
    action: 'operator.note',
    subjectKind: 'company',
    subjectId: companyId,
    detail: { name: company.name },
  });
  return { id };
}

/** @throws DomainError cursorInvalid */
export async function listInvitations(
  tx: Tx,
  _context: OperatorContext,
  query: Query<typeof calls.listCompanyInvitations>,
): Promise<OutputInput<typeof calls.listCompanyInvitations>> {
  const page = await readPage(tx, invitationList, query, undefined);
  return {
    ...page,
    items: page.items.map(({ id, label, state, createdAt, expiresAt, usedAt, companyId, companyName }) => ({
      id,
      note: label,
      state,
      createdAt: createdAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
      usedAt: usedAt?.toISOString() ?? null,
      company: companyId === null ? null : { id: companyId, name: companyName ?? '' },
    })),
  };
}

const dayMs = 86_400_000;

export async function invite(
  tx: Tx,
  context: OperatorContext,
  { note, days }: Body<typeof calls.inviteNewCompany>,
): Promise<OutputInput<typeof calls.inviteNewCompany>> {
  const expiresAt = new Date(context.clock.now().getTime() + days * dayMs);
  const { id, code } = await makeInvitation(tx, { label: note, expiresAt, actor: actorOf(context) });
  return { id, code, expiresAt: expiresAt.toISOString() };
}

/** @throws DomainError notFound when it is unknown, used or revoked */
export async function revoke(tx: Tx, context: OperatorContext, { id }: { id: string }): Promise<void> {
  if (!(await endInvitation(tx, id, actorOf(context)))) throw new DomainError('notFound');
}

/** US cents of an amount; null without a fresh price. */
type CentsOf = (asset: string, decimals: number, minor: bigint) => bigint | null;

async function valuing(tx: Tx): Promise<CentsOf> {
  const now = new Date();
  const prices = new Map(
    (await findPrices(tx)).filter((price) => !isStale(price, now)).map(({ asset, usd }) => [asset, usd]),
  );
  return (asset, decimals, minor) => {
    const price = prices.get(asset);
    return price === undefined ? null : usdValue(minor, decimals, price);
  };
}

function shown(row: CompanyRow, holdings: readonly HoldingRow[], centsOf: CentsOf): calls.OperatorCompany {
  const values = holdings
    .filter(({ companyId }) => companyId === row.id)
    .map(({ asset, decimals, minor }) => centsOf(asset, decimals, minor));
  return {
    id: row.id,
    name: row.name,
    createdAt: row.createdAt.toISOString(),
    members: row.members,
    frozenWallets: row.frozenWallets,
    frozenAt: row.frozenAt?.toISOString() ?? null,
    usd: formatUsd(values.reduce<bigint>((sum, value) => sum + (value ?? 0n), 0n)),
    usdIncomplete: values.includes(null),
    lastTransactionAt: row.lastTransactionAt?.toISOString() ?? null,
  };
}

function shownWallet(wallet: WalletFigures, centsOf: CentsOf) {
  const { asset, decimals, availableMinor, outboundMinor, inboundMinor, deficitMinor, frozenAt } = wallet;
  const say = (minor: bigint) => formatAmount(minor, decimals);
  const cents = centsOf(asset, decimals, availableMinor + outboundMinor);
  return {
    id: wallet.id,
    asset,
    place: wallet.place,
    account: wallet.account,
    available: say(availableMinor),
    inTransfer: say(outboundMinor),
    arriving: say(inboundMinor),
    deficit: say(deficitMinor),
    usd: cents === null ? null : formatUsd(cents),
    frozenAt: frozenAt?.toISOString() ?? null,
    frozenReason: wallet.frozenReason,
  };
}

/** By asset, over all wallets. */
function feesOf(wallets: readonly WalletFigures[]): { asset: string; quantity: string }[] {
  const sums = new Map<string, { decimals: number; minor: bigint }>();
  for (const { asset, decimals, feeMinor } of wallets) {
    sums.set(asset, { decimals, minor: (sums.get(asset)?.minor ?? 0n) + feeMinor });
  }
  return [...sums]
    .filter(([, { minor }]) => minor !== 0n)
    .map(([asset, { decimals, minor }]) => ({ asset, quantity: formatAmount(minor, decimals) }));
}

import type { Body, OutputInput, Query } from '@causeway/contract/call.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import { formatAmount, sayAmount } from '@causeway/contract/money.ts';
import type * as debits from '@causeway/contract/operator-bank-debits.ts';
import type * as calls from '@causeway/contract/operator-banks.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { readPage } from '../../../platform/database/list.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import type { OperatorContext } from '../../../platform/session.ts';
import { nameOfPlace } from '../../banks/index.ts';
import type { StaffContext } from '../console/dependencies.ts';
import { propose, requireActing } from '../console/service/proposals.ts';
import { lockStaff } from '../console/store/accounts.ts';
import { findExplanation, findShares } from './explanations-store.ts';
import type { CreditInput, FeesInput, ReturnInput } from './kinds.ts';
import {
  findFilesOfMoney,
  findMoney,
  findOpenProposal,
  findReturns,
  findTargetsOf,
  type MoneyDetail,
  type MoneyRow,
  moneyList,
  namesOfCompanies,
  searchTargets,
  sumFees,
  type TargetRow,
} from './moneys-store.ts';
import { nameOfMoney, whyNotCredited, whyNotFees } from './situation.ts';

/** Moneys of banks: those in suspense with whose they may be, and the proposal to credit one. */

export function shownMoney(row: MoneyRow, locale: Locale): calls.BankMoney {
  const { decimals, amountMinor, nameZhHk: _, nameZhCn: __, suggestions, at, ...money } = row;
  return {
    ...money,
    bankName: nameOfPlace({ ...row, name: row.bankName }, locale),
    quantity: formatAmount(amountMinor, decimals),
    at: at.toISOString(),
    suggestions: new Set(suggestions.map(({ companyId }) => companyId)).size,
  };
}

/** @throws DomainError cursorInvalid */
export async function listMoneys(
  tx: Tx,
  { locale }: OperatorContext,
  query: Query<typeof calls.listBankMoneys>,
): Promise<OutputInput<typeof calls.listBankMoneys>> {
  const page = await readPage(tx, moneyList, { ...query, state: query.state ?? 'suspense' }, undefined);
  return { ...page, items: page.items.map((row) => shownMoney(row, locale)) };
}

/** @throws DomainError notFound */
export async function getMoney(
  tx: Tx,
  { locale }: OperatorContext,
  { id }: { id: string },
): Promise<OutputInput<typeof calls.getBankMoney>> {
  const row = await findMoney(tx, id);
  if (!row) throw new DomainError('notFound');
  const { valueOn, endToEnd, uetr, payerBank, creditorAccount, creditorReferences, ...rest } = row;
  const { returnReason, returnWords, ...more } = rest;
  const { transactionId, companyId, companyName, isUndetailed: _, ...money } = more;
  const ids = money.suggestions.map((suggestion) => suggestion.companyId);
  const names = await namesOfCompanies(tx, ids);
  const targets = new Map((await findTargetsOf(tx, money, ids)).map((target) => [target.companyId, target]));
  return {
    ...{ money: shownMoney(money, locale), valueOn, endToEnd, uetr, payerBank, creditorAccount, creditorReferences },
    ...{ returnReason, returnWords },
    files: (await findFilesOfMoney(tx, id)).map((file) => ({ ...file, at: file.at.toISOString() })),
    suggestions: money.suggestions.map((suggestion) => ({
      ...suggestion,
      companyName: names.get(suggestion.companyId) ?? '',
      target: targets.get(suggestion.companyId) ?? null,
    })),
    credited:
      transactionId === null || companyId === null
        ? null
        : { transactionId, companyId, companyName: companyName ?? '' },
    returns: (await findReturns(tx, id)).map((taken) => shownMoney(taken, locale)),
    fees: await feesFor(tx, row),
    shares: row.state === 'fees' ? await sharesOf(tx, row) : null,
    proposalId: await findOpenProposal(tx, id),
  };
}

async function feesFor(tx: Tx, row: MoneyDetail) {
  if (whyNotFees(row) !== null) return null;
  const heldMinor = await sumFees(tx, row);
  return { held: formatAmount(heldMinor, row.decimals), covered: heldMinor >= -row.amountMinor };
}

const mostShares = 100;

async function sharesOf(tx: Tx, { id, decimals }: MoneyDetail) {
  const explanation = await findExplanation(tx, id);
  const rows = explanation === null ? [] : await findShares(tx, explanation.id, mostShares);
  const items = rows.map(({ companyId, companyName, amountMinor }) => ({
    companyId,
    companyName,
    quantity: formatAmount(amountMinor, decimals),
  }));
  return { companies: rows[0]?.companies ?? 0, items };
}

/** @throws DomainError notFound */
export async function findTargets(
  tx: Tx,
  _context: OperatorContext,
  { id, keyword }: Query<typeof calls.findBankCreditTargets> & { id: string },
): Promise<{ targets: TargetRow[] }> {
  const row = await findMoney(tx, id);
  if (!row) throw new DomainError('notFound');
  const wanted = keyword.trim();
  return { targets: wanted === '' ? [] : await searchTargets(tx, row, wanted) };
}

/** @throws DomainError notFound, bankMoneySettled, bankMoneyUndetailed, bankWalletMissing, proposalOpen */
export async function proposeCredit(
  tx: Tx,
  context: StaffContext,
  { id, companyId, reason }: Body<typeof calls.proposeBankCredit> & { id: string },
): Promise<{ proposalId: string }> {
  await lockStaff(tx);
  await requireActing(tx, context, 'operator.exception');
  const row = await findMoney(tx, id);
  if (!row) throw new DomainError('notFound');
  const why = whyNotCredited(row);
  if (why !== null) throw new DomainError(why);
  // A money has one proposal, to credit it or to record its return.
  if ((await findOpenProposal(tx, id)) !== null) throw new DomainError('proposalOpen');
  const [target] = await findTargetsOf(tx, row, [companyId]);
  if (!target) throw new DomainError('bankWalletMissing', {}, { companyId: 'error.bankWalletMissing' });
  const { companyName, walletId, accountNumber } = target;
  const input: CreditInput = { companyId, companyName, walletId, accountNumber };
  const subject = { subjectId: id, subjectName: nameOfMoney(row) };
  return { proposalId: await propose(tx, context, { kind: 'bankMoney.credit', ...subject, input, reason }) };
}

/** @throws DomainError notFound, bankMoneySettled, bankReturnDiffers, proposalOpen */
export async function proposeReturn(
  tx: Tx,
  context: StaffContext,
  { id, takenId, reason }: Body<typeof debits.proposeBankReturn> & { id: string },
): Promise<{ proposalId: string }> {
  await lockStaff(tx);
  await requireActing(tx, context, 'operator.exception');
  const row = await findMoney(tx, id);
  if (!row) throw new DomainError('notFound');
  if (row.state !== 'suspense') throw new DomainError('bankMoneySettled');
  const taken = (await findReturns(tx, id)).find((one) => one.id === takenId);
  if (!taken) throw new DomainError('bankReturnDiffers');
  if ((await findOpenProposal(tx, id)) !== null) throw new DomainError('proposalOpen');
  const { bookedOn, reference, remittance } = taken;
  const input: ReturnInput = { takenId, bookedOn, reference: reference ?? '', remittance };
  const subject = { subjectId: id, subjectName: nameOfMoney(row) };
  return { proposalId: await propose(tx, context, { kind: 'bankMoney.return', ...subject, input, reason }) };
}

/** @throws DomainError notFound, bankDebitOther, bankFeesShort, proposalOpen */
export async function proposeFees(
  tx: Tx,
  context: StaffContext,
  { id, reason }: Body<typeof debits.proposeBankFees> & { id: string },
): Promise<{ proposalId: string }> {
  await lockStaff(tx);
  await requireActing(tx, context, 'operator.treasury');
  const row = await findMoney(tx, id);
  if (!row) throw new DomainError('notFound');
  const why = whyNotFees(row);
  if (why !== null) throw new DomainError(why);
  if ((await findOpenProposal(tx, id)) !== null) throw new DomainError('proposalOpen');
  const heldMinor = await sumFees(tx, row);
  const { bank, asset, decimals, bookedOn, reference, remittance } = row;
  if (heldMinor < -row.amountMinor) {
    throw new DomainError('bankFeesShort', { held: `${sayAmount(heldMinor, decimals)} ${asset}` });
  }
  const input: FeesInput = { bank, heldMinor: heldMinor.toString(), bookedOn, reference: reference ?? '', remittance };
  const subject = { subjectId: id, subjectName: nameOfMoney({ ...row, amountMinor: -row.amountMinor }) };
  return { proposalId: await propose(tx, context, { kind: 'bankMoney.fees', ...subject, input, reason }) };
}

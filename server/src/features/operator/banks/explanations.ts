import type { Body, OutputInput } from '@causeway/contract/call.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import {
  bankReturnsMax,
  bankSharesMax,
  type getBankExplanation,
  type proposeBankTakeBack,
  type proposeBankWithdrawal,
} from '@causeway/contract/operator-bank-explanations.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import type { OperatorContext } from '../../../platform/session.ts';
import type { StaffContext } from '../console/dependencies.ts';
import { propose, requireActing } from '../console/service/proposals.ts';
import { lockStaff } from '../console/store/accounts.ts';
import { sumInput, type TakeBackInput, type WithdrawInput } from './explanation-kinds.ts';
import {
  type ExplanationRow,
  findExplanation,
  findReturnable,
  findReturnsOf,
  findShares,
  sumExplained,
  sumOf,
} from './explanations-store.ts';
import { shownMoney } from './moneys.ts';
import { findMoney, findOpenProposal, type MoneyDetail, type MoneyRow } from './moneys-store.ts';
import { nameOfMoney, whyNotWithdrawn } from './situation.ts';

/** What became of an explanation of a bank's booking: what the bank returned of it, and the proposals to record a return, or that it was wrong. */

const sizeOf = (minor: bigint) => (minor < 0n ? -minor : minor);

/** @throws DomainError notFound */
export async function getExplanation(
  tx: Tx,
  { locale }: OperatorContext,
  { id }: { id: string },
): Promise<OutputInput<typeof getBankExplanation>> {
  const row = await findMoney(tx, id);
  if (!row) throw new DomainError('notFound');
  const say = (minor: bigint) => formatAmount(minor, row.decimals);
  const explanation = await findExplanation(tx, id);
  const returnable = await findReturnable(tx, id);
  return {
    returnable: returnable.map(({ openMinor, ...money }) => ({
      money: shownMoney(money, locale),
      open: say(openMinor),
    })),
    explained: explanation?.step === 'explained' ? await explainedOf(tx, row, explanation, locale) : null,
    returned: explanation?.step === 'returned' ? await returnedOf(tx, row, explanation, locale) : null,
    withdrawal: explanation === null ? null : (whyNotWithdrawn(row, explanation)?.why ?? 'possible'),
  };
}

async function explainedOf(
  tx: Tx,
  { id, decimals }: MoneyDetail,
  { about }: ExplanationRow,
  locale: OperatorContext['locale'],
) {
  const returns = await findReturnsOf(tx, id, bankReturnsMax);
  return {
    about,
    open: formatAmount(sizeOf(await sumExplained(tx, id)), decimals),
    returns: returns.map((each) => shownMoney(each, locale)),
  };
}

async function returnedOf(
  tx: Tx,
  { decimals }: MoneyDetail,
  { id, about, moneyId }: ExplanationRow,
  locale: OperatorContext['locale'],
) {
  const money = await findMoney(tx, moneyId);
  if (!money) throw new DomainError('notFound');
  const shares = await findShares(tx, id, bankSharesMax);
  return {
    about,
    money: shownMoney(money, locale),
    shares: {
      companies: shares[0]?.companies ?? 0,
      items: shares.map(({ companyId, companyName, amountMinor }) => ({
        ...{ companyId, companyName, quantity: formatAmount(-amountMinor, decimals) },
      })),
    },
  };
}

/** A booking often names nothing but what the bank writes beside it. */
const saidOf = ({ bookedOn, reference, remittance, bankWords }: MoneyRow) => ({
  ...{ bookedOn, reference: reference ?? '', remittance: remittance || (bankWords ?? '') },
});

const subjectOf = (row: MoneyDetail) => ({
  subjectId: row.id,
  subjectName: nameOfMoney({ ...row, amountMinor: sizeOf(row.amountMinor) }),
});

/** @throws DomainError notFound, bankTakeBackDiffers, proposalOpen */
export async function proposeTakeBack(
  tx: Tx,
  context: StaffContext,
  { id, explainedId, reason }: Body<typeof proposeBankTakeBack> & { id: string },
): Promise<{ proposalId: string }> {
  await lockStaff(tx);
  await requireActing(tx, context, 'operator.treasury');
  const row = await findMoney(tx, id);
  if (!row) throw new DomainError('notFound');
  const [explained] = await findReturnable(tx, id, { only: explainedId });
  if (!explained) throw new DomainError('bankTakeBackDiffers');
  if ((await findOpenProposal(tx, id)) !== null) throw new DomainError('proposalOpen');
  const about = explained.state === 'fees' ? 'fees' : 'cards';
  const sum = sumInput(about, await sumOf(tx, about, row));
  const input: TakeBackInput = { settlementId: explainedId, ...sum, ...saidOf(explained) };
  const kind = about === 'fees' ? 'bankMoney.feesBack' : 'bankMoney.cardsBack';
  return { proposalId: await propose(tx, context, { kind, ...subjectOf(row), input, reason }) };
}

/** @throws DomainError notFound, bankExplanationOther, bankExplanationShort, proposalOpen */
export async function proposeWithdrawal(
  tx: Tx,
  context: StaffContext,
  { id, reason }: Body<typeof proposeBankWithdrawal> & { id: string },
): Promise<{ proposalId: string }> {
  await lockStaff(tx);
  await requireActing(tx, context, 'operator.treasury');
  const row = await findMoney(tx, id);
  if (!row) throw new DomainError('notFound');
  const explanation = await findExplanation(tx, id);
  if (explanation === null) throw new DomainError('bankExplanationOther');
  const refused = whyNotWithdrawn(row, explanation);
  if (refused !== null) throw new DomainError(refused.key);
  if ((await findOpenProposal(tx, id)) !== null) throw new DomainError('proposalOpen');
  const { id: explanationId, about, step, amountMinor } = explanation;
  const sum = sumInput(about, await sumOf(tx, about, row));
  const explainedAs = step === 'explained' ? about : (`${about}Back` as const);
  const input: WithdrawInput = {
    ...{ explanationId, explainedAs, stepMinor: amountMinor.toString() },
    ...sum,
    ...saidOf(row),
  };
  return { proposalId: await propose(tx, context, { kind: 'bankMoney.withdraw', ...subjectOf(row), input, reason }) };
}

import type { Body, OutputInput } from '@causeway/contract/call.ts';
import { formatAmount, sayAmount } from '@causeway/contract/money.ts';
import {
  cardsOwedMaxCompanies,
  type getCardSettlement,
  type listCardsOwed,
  type proposeCardSettlement,
} from '@causeway/contract/operator-cards.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import type { OperatorContext } from '../../../platform/session.ts';
import { nameOfPlace } from '../../banks/index.ts';
import type { StaffContext } from '../console/dependencies.ts';
import { propose, requireActing } from '../console/service/proposals.ts';
import { lockStaff } from '../console/store/accounts.ts';
import type { CardsInput } from './card-kind.ts';
import { type CompanyShareRow, findOwedPlaces, findOwingCompanies, sumCardsOwed } from './cards-store.ts';
import { findExplanation, findShares } from './explanations-store.ts';
import { findMoney, findOpenProposal } from './moneys-store.ts';
import { fitsCards, nameOfMoney, whyNotCards } from './situation.ts';

/** What the issuer of cards is owed, and the proposal to explain a money of a bank as what was paid to it, or by it. */

export async function listOwed(tx: Tx, { locale }: OperatorContext): Promise<OutputInput<typeof listCardsOwed>> {
  const places = [];
  for (const row of await findOwedPlaces(tx)) {
    const { bank, asset, decimals, paymentsMinor, refundsMinor, companies, since } = row;
    const say = (minor: bigint) => formatAmount(minor, decimals);
    places.push({
      ...{ bank, bankName: nameOfPlace(row, locale), asset, companies, since: since?.toISOString() ?? null },
      ...{ owed: say(paymentsMinor - refundsMinor), payments: say(paymentsMinor), refunds: say(refundsMinor) },
      items: shown(await findOwingCompanies(tx, row, cardsOwedMaxCompanies), decimals),
    });
  }
  return { places };
}

/** @throws DomainError notFound */
export async function getSettlement(
  tx: Tx,
  _context: OperatorContext,
  { id }: { id: string },
): Promise<OutputInput<typeof getCardSettlement>> {
  const row = await findMoney(tx, id);
  if (!row) throw new DomainError('notFound');
  const owedMinor = whyNotCards(row) === null ? await sumCardsOwed(tx, row) : null;
  const explanation = row.state === 'cards' ? await findExplanation(tx, id) : null;
  const shares = explanation && (await findShares(tx, explanation.id, cardsOwedMaxCompanies));
  return {
    possible:
      owedMinor === null
        ? null
        : { owed: formatAmount(owedMinor, row.decimals), covered: fitsCards(row.amountMinor, owedMinor) },
    shares: shares && { companies: shares[0]?.companies ?? 0, items: shown(shares, row.decimals) },
  };
}

const shown = (rows: readonly CompanyShareRow[], decimals: number) =>
  rows.map(({ companyId, companyName, amountMinor }) => ({
    ...{ companyId, companyName, quantity: formatAmount(amountMinor, decimals) },
  }));

/** @throws DomainError notFound, cardSettlementOther, cardSettlementShort, proposalOpen */
export async function proposeSettlement(
  tx: Tx,
  context: StaffContext,
  { id, reason }: Body<typeof proposeCardSettlement> & { id: string },
): Promise<{ proposalId: string }> {
  await lockStaff(tx);
  await requireActing(tx, context, 'operator.treasury');
  const row = await findMoney(tx, id);
  if (!row) throw new DomainError('notFound');
  const why = whyNotCards(row);
  if (why !== null) throw new DomainError(why);
  if ((await findOpenProposal(tx, id)) !== null) throw new DomainError('proposalOpen');
  const owedMinor = await sumCardsOwed(tx, row);
  const { asset, decimals, amountMinor, bookedOn, reference, bankWords } = row;
  if (!fitsCards(amountMinor, owedMinor)) {
    throw new DomainError('cardSettlementShort', { owed: `${sayAmount(owedMinor, decimals)} ${asset}` });
  }
  // A debit often names nothing but what the bank writes beside it.
  const remittance = row.remittance || (bankWords ?? '');
  const input: CardsInput = { owedMinor: owedMinor.toString(), bookedOn, reference: reference ?? '', remittance };
  const size = amountMinor < 0n ? -amountMinor : amountMinor;
  const subject = { subjectId: id, subjectName: nameOfMoney({ ...row, amountMinor: size }) };
  return { proposalId: await propose(tx, context, { kind: 'bankMoney.cards', ...subject, input, reason }) };
}

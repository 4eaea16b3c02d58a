import type { Body, OutputInput } from '@causeway/contract/call.ts';
import { formatAmount, sayAmount } from '@causeway/contract/money.ts';
import {
  cardsOwedMaxCompanies,
  type getCardSettlement,
  type listCardsOwed,
  type proposeCardSettlement,
  type proposeCardTakeBack,
} from '@causeway/contract/operator-cards.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import type { OperatorContext } from '../../../platform/session.ts';
import { nameOfPlace } from '../../banks/index.ts';
import type { StaffContext } from '../console/dependencies.ts';
import { propose, requireActing } from '../console/service/proposals.ts';
import { lockStaff } from '../console/store/accounts.ts';
import type { CardsBackInput, CardsInput } from './card-kind.ts';
import {
  type CompanyShareRow,
  findCardShares,
  findOwedPlaces,
  findOwingCompanies,
  sumCardsOwed,
} from './cards-store.ts';
import { shownMoney } from './moneys.ts';
import { findCounterpart, findMoney, findOpenProposal, findSettlements } from './moneys-store.ts';
import { fitsCards, nameOfMoney, whyNotCards } from './situation.ts';

/** What the issuer of cards is owed, and the proposal to explain a money of a bank as what was paid to it, or by it, or as what took that back. */

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
  { locale }: OperatorContext,
  { id }: { id: string },
): Promise<OutputInput<typeof getCardSettlement>> {
  const row = await findMoney(tx, id);
  if (!row) throw new DomainError('notFound');
  const owedMinor = whyNotCards(row) === null ? await sumCardsOwed(tx, row) : null;
  const other = await findCounterpart(tx, id);
  const counterpart = other && shownMoney(other, locale);
  const shares = row.state === 'cards' ? await findCardShares(tx, id, cardsOwedMaxCompanies) : null;
  return {
    possible:
      owedMinor === null
        ? null
        : { owed: formatAmount(owedMinor, row.decimals), covered: fitsCards(row.amountMinor, owedMinor) },
    shares: shares && { companies: shares[0]?.companies ?? 0, items: shown(shares, row.decimals) },
    settlements: (await findSettlements(tx, id)).map((each) => shownMoney(each, locale)),
    takenBackBy: row.state === 'cards' ? counterpart : null,
    takesBack: row.state === 'reversal' ? counterpart : null,
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

/** @throws DomainError notFound, cardTakeBackDiffers, proposalOpen */
export async function proposeTakeBack(
  tx: Tx,
  context: StaffContext,
  { id, settlementId, reason }: Body<typeof proposeCardTakeBack> & { id: string },
): Promise<{ proposalId: string }> {
  await lockStaff(tx);
  await requireActing(tx, context, 'operator.treasury');
  const row = await findMoney(tx, id);
  if (!row) throw new DomainError('notFound');
  const settlement = (await findSettlements(tx, id)).find((one) => one.id === settlementId);
  if (!settlement) throw new DomainError('cardTakeBackDiffers');
  if ((await findOpenProposal(tx, id)) !== null) throw new DomainError('proposalOpen');
  const { bookedOn, reference, remittance, bankWords } = settlement;
  const owedMinor = (await sumCardsOwed(tx, row)).toString();
  const said = { bookedOn, reference: reference ?? '', remittance: remittance || (bankWords ?? '') };
  const input: CardsBackInput = { settlementId, owedMinor, ...said };
  const size = row.amountMinor < 0n ? -row.amountMinor : row.amountMinor;
  const subject = { subjectId: id, subjectName: nameOfMoney({ ...row, amountMinor: size }) };
  return { proposalId: await propose(tx, context, { kind: 'bankMoney.cardsBack', ...subject, input, reason }) };
}

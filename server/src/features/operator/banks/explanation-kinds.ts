import { sayAmount } from '@causeway/contract/money.ts';
import { type BankExplained, type BankRecord, bankRecords } from '@causeway/contract/operator-banks-rules.ts';
import * as z from 'zod/mini';
import { translate } from '../../../platform/text/texts.ts';
import { nilCompany } from '../../identity/index.ts';
import { type Kind, line } from '../console/kind.ts';
import { findExplanation, sumExplained } from './explanations-store.ts';
import { bankNames, sayBank } from './kept-names.ts';
import { findMoney } from './moneys-store.ts';

/**
 * What two operators agree on about a booking that was explained as fees collected or as settled with the issuer of cards: that the bank returned all of it or
 * a part, or that the explanation was wrong. Amounts in minor units, signed as the bank books them.
 */

/** When it was proposed, in the currency at the bank: of fees what companies had, of cards what was owed to the issuer. */
const sums = { heldMinor: z.optional(z.string()), owedMinor: z.optional(z.string()) };
export const sumInput = (about: BankExplained, minor: bigint) =>
  about === 'fees' ? { heldMinor: minor.toString() } : { owedMinor: minor.toString() };
const sumIn = ({ heldMinor, owedMinor }: { heldMinor?: string | undefined; owedMinor?: string | undefined }) =>
  BigInt(heldMinor ?? owedMinor ?? 0);

const said = { bookedOn: z.nullable(z.string()), reference: z.string(), remittance: z.string() };

const takeBackInput = z.object({
  /** The explained booking. */
  settlementId: z.string(),
  ...sums,
  ...said,
});
export type TakeBackInput = z.output<typeof takeBackInput>;

export const settlementOf = (input: unknown): string => takeBackInput.parse(input).settlementId;

export const explainedFacts = z.object({
  state: z.string(),
  unmatched: z.nullable(z.string()),
  amountMinor: z.string(),
  decimals: z.number(),
  asset: z.string(),
  ...bankNames,
  account: z.string(),
});

const takeBackFacts = z.extend(explainedFacts, {
  /** Of what the explained booking is about: its whole, and what was not returned yet, without sign. Proposals of earlier versions, of a whole each, have neither. */
  sizeMinor: z.optional(z.string()),
  openMinor: z.optional(z.string()),
});

const sizeOf = (minor: bigint) => (minor < 0n ? -minor : minor);
const lineOf = (parts: (string | null)[]) => parts.filter(Boolean).join(' · ') || '–';
const sumField = (record: BankRecord) => (record.startsWith('fees') ? 'bankMoney.feesHeld' : 'bankMoney.cardsOwed');

/** Who has the money of a booking by what is recorded of it: of what came in, and of what the bank took. */
const owners: Record<BankRecord, [cameIn: string, taken: string]> = {
  fees: ['feesCollected', 'feesCollected'],
  cards: ['paidByIssuer', 'paidToIssuer'],
  feesBack: ['backFees', 'backFees'],
  cardsBack: ['backFromIssuer', 'backToIssuer'],
};
const ownerValue = (record: BankRecord, minor: bigint) => owners[record][minor < 0n ? 1 : 0];
const heldValue = (minor: bigint) => (minor < 0n ? 'takenByBank' : 'inSuspense');

/** A held booking as what the bank returned by it, all or a part, of what another was explained as. */
export const takingBack = (about: BankExplained): Kind => ({
  subjectKind: 'bankMoney',
  async before(tx, subjectId, input) {
    const settlementId = settlementOf(input);
    const [row, settlement] = [await findMoney(tx, subjectId), await findMoney(tx, settlementId)];
    if (!row) return {};
    const { state, unmatched, amountMinor, decimals, asset, bankName, nameZhHk, nameZhCn, account } = row;
    const explanation = await findExplanation(tx, settlementId);
    return {
      ...{ state, unmatched, decimals, asset, bankName, nameZhHk, nameZhCn, account },
      amountMinor: amountMinor.toString(),
      settlement: settlement?.state ?? null,
      explanationId: explanation?.id ?? null,
      sizeMinor: sizeOf(settlement?.amountMinor ?? 0n).toString(),
      openMinor: sizeOf(await sumExplained(tx, settlementId)).toString(),
    };
  },
  titleOf: () => ({}),
  changes(locale, input, before) {
    const given = takeBackInput.parse(input);
    const { bookedOn, reference, remittance } = given;
    const facts = takeBackFacts.safeParse(before);
    if (!facts.success) return [];
    const { amountMinor, decimals, asset, account } = facts.data;
    const say = (minor: bigint) => `${sayAmount(minor, decimals)} ${asset}`;
    const [owed, minor] = [sumIn(given), BigInt(amountMinor)];
    const size = BigInt(facts.data.sizeMinor ?? sizeOf(minor));
    const open = BigInt(facts.data.openMinor ?? size);
    const value = (name: string) => translate(locale, `operator.value.${name}`);
    return [
      line(locale, 'bankMoney.owner', value(heldValue(minor)), value(ownerValue(`${about}Back`, minor))),
      line(locale, sumField(about), say(owed), say(owed + minor)),
      line(locale, 'bankMoney.account', null, `${sayBank(facts.data, locale)} ${account}`),
      line(
        locale,
        about === 'fees' ? 'bankMoney.debit' : 'bankMoney.settlement',
        null,
        lineOf([say(size), bookedOn, reference, remittance]),
      ),
      line(locale, 'bankMoney.returnedOf', say(size - open), say(size - open + sizeOf(minor))),
    ];
  },
  company: () => nilCompany,
});

const withdrawInput = z.object({
  explanationId: z.string(),
  explainedAs: z.enum(bankRecords),
  /** Signed as what it took off the companies' accounts. */
  stepMinor: z.string(),
  ...sums,
  ...said,
});
export type WithdrawInput = z.output<typeof withdrawInput>;

export const explanationOf = (input: unknown) => withdrawInput.parse(input);

/** That an explanation, or a return that operators recorded, was wrong: the booking is held again. */
export const withdrawing: Kind = {
  subjectKind: 'bankMoney',
  async before(tx, subjectId) {
    const row = await findMoney(tx, subjectId);
    if (!row) return {};
    const { state, unmatched, amountMinor, decimals, asset, bankName, nameZhHk, nameZhCn, account } = row;
    const explanation = await findExplanation(tx, subjectId);
    return {
      ...{ state, unmatched, decimals, asset, bankName, nameZhHk, nameZhCn, account },
      amountMinor: amountMinor.toString(),
      explanationId: explanation?.id ?? null,
      isReturned: explanation?.isReturned ?? false,
      covered: explanation?.covered ?? false,
    };
  },
  titleOf: () => ({}),
  changes(locale, input, before) {
    const given = withdrawInput.parse(input);
    const { explainedAs, stepMinor, bookedOn, reference, remittance } = given;
    const facts = explainedFacts.safeParse(before);
    if (!facts.success) return [];
    const { amountMinor, decimals, asset, account } = facts.data;
    const say = (minor: bigint) => `${sayAmount(minor, decimals)} ${asset}`;
    const [owed, minor] = [sumIn(given), BigInt(amountMinor)];
    const value = (name: string) => translate(locale, `operator.value.${name}`);
    return [
      line(locale, 'bankMoney.owner', value(ownerValue(explainedAs, minor)), value(heldValue(minor))),
      line(locale, sumField(explainedAs), say(owed), say(owed + BigInt(stepMinor))),
      line(locale, 'bankMoney.account', null, `${sayBank(facts.data, locale)} ${account}`),
      line(locale, minor < 0n ? 'bankMoney.debit' : 'bankMoney.text', null, lineOf([bookedOn, reference, remittance])),
    ];
  },
  company: () => nilCompany,
};

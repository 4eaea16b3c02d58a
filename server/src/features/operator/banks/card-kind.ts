import { sayAmount } from '@causeway/contract/money.ts';
import * as z from 'zod/mini';
import { translate } from '../../../platform/text/texts.ts';
import { nilCompany } from '../../identity/index.ts';
import { type Kind, line } from '../console/kind.ts';
import { sumCardsOwed } from './cards-store.ts';
import { bankNames, sayBank } from './kept-names.ts';
import { findMoney } from './moneys-store.ts';
import { fitsCards } from './situation.ts';

/** A money of a bank as what was paid to the issuer of cards, or by it, which two operators agree on. Amounts in minor units, signed as the bank books them. */

const cardsInput = z.object({
  /** What was owed in the currency at the bank when it was proposed. */
  owedMinor: z.string(),
  bookedOn: z.nullable(z.string()),
  reference: z.string(),
  remittance: z.string(),
});
export type CardsInput = z.output<typeof cardsInput>;

export const cardsFacts = z.object({
  state: z.string(),
  unmatched: z.nullable(z.string()),
  amountMinor: z.string(),
  decimals: z.number(),
  asset: z.string(),
  ...bankNames,
  account: z.string(),
  /** Whether so much is still owed. */
  covered: z.boolean(),
});

export const cardSettling: Kind = {
  subjectKind: 'bankMoney',
  async before(tx, subjectId) {
    const row = await findMoney(tx, subjectId);
    if (!row) return {};
    const { state, unmatched, amountMinor, decimals, asset, bankName, nameZhHk, nameZhCn, account } = row;
    return {
      ...{ state, unmatched, decimals, asset, bankName, nameZhHk, nameZhCn, account },
      amountMinor: amountMinor.toString(),
      covered: fitsCards(amountMinor, await sumCardsOwed(tx, row)),
    } satisfies z.output<typeof cardsFacts>;
  },
  titleOf: () => ({}),
  changes(locale, input, before) {
    const { owedMinor, bookedOn, reference, remittance } = cardsInput.parse(input);
    const facts = cardsFacts.safeParse(before);
    if (!facts.success) return [];
    const { amountMinor, decimals, asset, account } = facts.data;
    const say = (minor: bigint) => `${sayAmount(minor, decimals)} ${asset}`;
    const [owed, minor] = [BigInt(owedMinor), BigInt(amountMinor)];
    const value = (name: string) => translate(locale, `operator.value.${name}`);
    return [
      line(
        locale,
        'bankMoney.owner',
        value(minor < 0n ? 'takenByBank' : 'inSuspense'),
        value(minor < 0n ? 'paidToIssuer' : 'paidByIssuer'),
      ),
      line(locale, 'bankMoney.cardsOwed', say(owed), say(owed + minor)),
      line(locale, 'bankMoney.account', null, `${sayBank(facts.data, locale)} ${account}`),
      line(
        locale,
        minor < 0n ? 'bankMoney.debit' : 'bankMoney.text',
        null,
        [bookedOn, reference, remittance].filter(Boolean).join(' · ') || '–',
      ),
    ];
  },
  company: () => nilCompany,
};

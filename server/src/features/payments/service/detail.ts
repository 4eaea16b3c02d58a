import { plainField } from '@causeway/contract/bank-fields.ts';
import { waysTo } from '@causeway/contract/bank-rules.ts';
import { isCurrency } from '@causeway/contract/currencies.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import type { PayoutDetail } from '@causeway/contract/transactions.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { hasText, translate } from '../../../platform/text/texts.ts';
import { nameOfPlace } from '../../banks/index.ts';
import { type BankTerms, readTerms } from '../../outgoing/index.ts';
import { bankNameOf, findBankPayeeVersion } from '../../payees/index.ts';
import { refusalReason } from '../../rails/index.ts';
import { findAnswers, findBought, findPayout } from '../store/payout.ts';

/** What is shown of a payment out of a bank beside its transaction; null: it is none. */
export async function payoutOf(tx: Tx, id: string, locale: Locale): Promise<PayoutDetail | null> {
  const payout = await findPayout(tx, id);
  if (!payout) return null;
  const terms = readTerms(payout.terms);
  const before = payout.beforeVersionId === null ? null : await findBankPayeeVersion(tx, payout.beforeVersionId);
  const answers = await findAnswers(tx, id);
  const { remittance, purpose } = terms;
  return {
    form: payout.form,
    paid: {
      asset: payout.asset,
      decimals: payout.decimals,
      amount: formatAmount(payout.amountMinor, payout.decimals),
      fee: formatAmount(payout.feeMinor, payout.decimals),
    },
    bankName: nameOfPlace(payout.bank, locale),
    payeeName: terms.nameSent,
    payeeBank: bankNameOf({ firstName: null, lastName: null, account: '', ...terms }, locale),
    payeeCountry: terms.country,
    fields: fieldsOf(terms),
    way: terms.way,
    charges: terms.charges,
    purpose,
    remittance: remittance === null ? null : 'text' in remittance ? remittance.text : remittance.reference,
    changedUntil: payout.changedUntil?.toISOString() ?? null,
    accountBefore: before && { name: before.name, account: before.account, country: before.country },
    verification: payout.verification && {
      answer: payout.verification,
      bankName: payout.verifiedName,
      at: payout.verifiedAt?.toISOString() ?? null,
    },
    expected: { earliest: payout.expectedFrom, latest: payout.expectedTo },
    uetr: payout.uetr,
    endToEndId: id.replaceAll('-', '').toUpperCase(),
    messageId: payout.messageId,
    fileName: payout.fileName,
    transferId: payout.transferId,
    answers: answers.map(({ status, reason, words, at }) => ({
      status,
      reason,
      sentence: reason === null ? null : sentenceOf(reason, locale),
      words,
      at: at.toISOString(),
    })),
  };
}

/** What of these transactions that are payments out of coins the payee is credited, and what the bank takes, in the currency that was bought. */
export async function boughtFor(
  tx: Tx,
  ids: readonly string[],
): Promise<ReadonlyMap<string, { amount: string; fee: string }>> {
  const found = await findBought(tx, ids);
  return new Map(
    found.map(({ id, decimals, amountMinor, feeMinor }) => [
      id,
      { amount: formatAmount(amountMinor, decimals), fee: formatAmount(feeMinor, decimals) },
    ]),
  );
}

/** In the order of the payee's form, as they were sent. */
function fieldsOf({ country, currency, holder, way, details }: BankTerms): PayoutDetail['fields'] {
  const found = isCurrency(currency) ? waysTo(country, currency, holder).find(({ id }) => id === way) : undefined;
  return (found?.fields ?? []).flatMap(({ name, label }) => {
    const value = plainField(name, details[name] ?? '');
    return value === '' ? [] : [{ name, label, value }];
  });
}

function sentenceOf(code: string, locale: Locale): string | null {
  const reason = refusalReason(code);
  return reason !== 'stage.reason.bankRefused' && hasText(locale, reason) ? translate(locale, reason) : null;
}

import type { Locale } from '@causeway/contract/locale.ts';
import { sayAmount } from '@causeway/contract/money.ts';
import { cryptoPayoutContent } from '@causeway/contract/payments.ts';
import * as z from 'zod/mini';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { fieldMessages } from '../../../platform/http/call-input.ts';
import type { Session } from '../../../platform/session.ts';
import { translate } from '../../../platform/text/texts.ts';
import { readSides } from '../../exchange/index.ts';
import type { CodeFact } from '../../identity/index.ts';
import { bankNameOf } from '../../payees/index.ts';
import { readPayoutRow } from '../store/submission.ts';
import { cryptoMeaningOf } from './content.ts';

/**
 * What a code for a payment out of coins is bound to, and the facts that its mail repeats, in the reader's language.
 * @throws DomainError validationFailed, and as `cryptoMeaningOf`
 */
export async function describeCryptoPayoutSubject(
  tx: Tx,
  session: Session,
  content: Record<string, unknown>,
  locale: Locale,
): Promise<{ digest: string; facts: CodeFact[] }> {
  const parsed = z.safeParse(cryptoPayoutContent, content);
  if (!parsed.success) throw new DomainError('validationFailed', {}, fieldMessages(parsed.error, content));
  const { walletId, bankWalletId, ...rest } = parsed.data;
  const found = await readSides(tx, { sellWalletId: walletId, buyWalletId: bankWalletId });
  const payout = await readPayoutRow(tx, { ...rest, walletId: bankWalletId });
  const { row, payee, sides, amountMinor, boundMinor, digest } = cryptoMeaningOf(session, parsed.data, payout, found);
  const label = (name: string) => translate(locale, `transaction.codeFact.${name}`);
  const amount = `${sayAmount(amountMinor, row.decimals)} ${row.currency}`;
  const most = `${sayAmount(boundMinor, sides.sell.decimals)} ${sides.sell.asset}`;
  const bank = bankNameOf({ firstName: null, lastName: null, ...payee }, locale);
  return {
    digest,
    facts: [
      { label: label('amount'), value: amount, headline: amount },
      { label: translate(locale, 'payment.codeFact.most'), value: most, headline: most },
      { label: label('payee'), value: payee.label, headline: payee.label, needs: 'payee.view' },
      { label: label('holder'), value: payee.name, needs: 'payee.view' },
      { label: label('account'), value: payee.account, needs: 'payee.view' },
      ...(bank === null ? [] : [{ label: label('bank'), value: bank, needs: 'payee.view' as const }]),
    ],
  };
}

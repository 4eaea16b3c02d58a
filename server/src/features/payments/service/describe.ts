import type { Locale } from '@causeway/contract/locale.ts';
import { sayAmount } from '@causeway/contract/money.ts';
import { payoutContent } from '@causeway/contract/payments.ts';
import * as z from 'zod/mini';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { fieldMessages } from '../../../platform/http/call-input.ts';
import type { Session } from '../../../platform/session.ts';
import { translate } from '../../../platform/text/texts.ts';
import type { CodeFact } from '../../identity/index.ts';
import { bankNameOf } from '../../payees/index.ts';
import { readPayoutRow } from '../store/submission.ts';
import { meaningOf } from './content.ts';

/**
 * What a code for a payment is bound to, and the facts that its mail repeats, in the reader's language.
 * @throws DomainError validationFailed, walletNotFound, payeeNotFound, payeeAccountChanged, payoutWayClosed, amountFormat, amountTooManyDecimals,
 *   amountTooLarge
 */
export async function describePayoutSubject(
  tx: Tx,
  session: Session,
  content: Record<string, unknown>,
  locale: Locale,
): Promise<{ digest: string; facts: CodeFact[] }> {
  const parsed = z.safeParse(payoutContent, content);
  if (!parsed.success) throw new DomainError('validationFailed', {}, fieldMessages(parsed.error, content));
  const { row, payee, amountMinor, digest } = meaningOf(session, parsed.data, await readPayoutRow(tx, parsed.data));
  const label = (name: string) => translate(locale, `transaction.codeFact.${name}`);
  const amount = `${sayAmount(amountMinor, row.decimals)} ${row.currency}`;
  const bank = bankNameOf({ firstName: null, lastName: null, ...payee }, locale);
  return {
    digest,
    facts: [
      { label: label('amount'), value: amount, headline: amount },
      { label: label('payee'), value: payee.label, headline: payee.label, needs: 'payee.view' },
      { label: label('holder'), value: payee.name, needs: 'payee.view' },
      { label: label('account'), value: payee.account, needs: 'payee.view' },
      ...(bank === null ? [] : [{ label: label('bank'), value: bank, needs: 'payee.view' as const }]),
    ],
  };
}

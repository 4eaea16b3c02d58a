import type { Locale } from '@causeway/contract/locale.ts';
import { transferContent } from '@causeway/contract/transfers.ts';
import * as z from 'zod/mini';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { fieldMessages } from '../../../platform/http/call-input.ts';
import type { Session } from '../../../platform/session.ts';
import { translate } from '../../../platform/text/texts.ts';
import type { CodeFact } from '../../identity/index.ts';
import { describeTransfer } from './submit.ts';

/**
 * What a code for a transfer is bound to, and the facts that its mail repeats, in the reader's language.
 * @throws DomainError validationFailed, walletNotFound, payeeNotFound, amountFormat, amountTooManyDecimals, amountTooLarge
 */
export async function describeTransferSubject(
  tx: Tx,
  session: Session,
  content: Record<string, unknown>,
  locale: Locale,
): Promise<{ digest: string; facts: CodeFact[] }> {
  const parsed = z.safeParse(transferContent, content);
  if (!parsed.success) throw new DomainError('validationFailed', {}, fieldMessages(parsed.error, content));
  const { digest, facts } = await describeTransfer(tx, session, parsed.data);
  const label = (name: string) => translate(locale, `transaction.codeFact.${name}`);
  const amount = `${facts.amount} ${facts.coin}`;
  return {
    digest,
    facts: [
      { label: label('amount'), value: amount, headline: amount },
      { label: label('payee'), value: facts.payee, headline: facts.payee, needs: 'payee.view' },
      { label: label('address'), value: facts.address, needs: 'payee.view' },
      { label: label('chain'), value: facts.chain },
    ],
  };
}

import { exchangeContent } from '@causeway/contract/exchange.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import { sayAmount } from '@causeway/contract/money.ts';
import * as z from 'zod/mini';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { fieldMessages } from '../../../platform/http/call-input.ts';
import type { Session } from '../../../platform/session.ts';
import { sayInstant } from '../../../platform/text/instant.ts';
import { translate } from '../../../platform/text/texts.ts';
import { nameOfPlace } from '../../banks/index.ts';
import type { CodeFact } from '../../identity/index.ts';
import { findTimeZone } from '../../organisation/index.ts';
import { readSides, type Side } from '../store/sides.ts';
import { meaningOf } from './content.ts';

/**
 * What a code for an exchange is bound to, and the facts that its mail repeats, in the reader's language.
 * @throws DomainError validationFailed, walletNotFound, amountFormat, amountTooManyDecimals, amountTooLarge,
 * exchangeTooSmall
 */
export async function describeExchangeSubject(
  tx: Tx,
  session: Session,
  content: Record<string, unknown>,
  locale: Locale,
): Promise<{ digest: string; facts: CodeFact[] }> {
  const parsed = z.safeParse(exchangeContent, content);
  if (!parsed.success) throw new DomainError('validationFailed', {}, fieldMessages(parsed.error, content));
  const { sellWalletId, buyWalletId, fixed } = parsed.data;
  const found = await readSides(tx, { sellWalletId, buyWalletId });
  const { sides, amountMinor, boundMinor, limit, digest } = meaningOf(session.companyId, parsed.data, found);
  const [sold, bought] = fixed === 'sell' ? [amountMinor, boundMinor] : [boundMinor, amountMinor];
  const say = (minor: bigint, { decimals, asset }: Side) => `${sayAmount(minor, decimals)} ${asset}`;
  const label = (name: string) => translate(locale, `exchange.codeFact.${name}`);
  const timeZone = await findTimeZone(tx);
  const sell = say(sold, sides.sell);
  const buy = say(bought, sides.buy);
  return {
    digest,
    facts: [
      { label: label(fixed === 'sell' ? 'sold' : 'soldAtMost'), value: sell, headline: sell },
      { label: label(fixed === 'sell' ? 'boughtAtLeast' : 'bought'), value: buy, headline: buy },
      ...(limit
        ? [
            { label: label('limitRate'), value: `${limit.rate} ${sides.buy.asset}/${sides.sell.asset}` },
            { label: label('limitUntil'), value: sayInstant({ at: limit.until.toISOString(), timeZone }, locale) },
          ]
        : []),
      { label: label('from'), value: nameOfPlace(sides.sell.place, locale) },
      { label: label('to'), value: nameOfPlace(sides.buy.place, locale) },
    ],
  };
}

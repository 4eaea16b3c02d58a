import type { VerificationAnswer } from '@causeway/contract/bank-payees-rules.ts';
import { type BankWay, holderNameOf, waysTo } from '@causeway/contract/bank-rules.ts';
import { isCurrency } from '@causeway/contract/currencies.ts';
import { routeOf } from '@causeway/contract/payments-rules.ts';
import { type ApiPayee, beneficiaryOf } from '../api/beneficiary.ts';
import { type BankApi, BankApiError } from '../api/client.ts';
import { type VerifiedAccount, verifyAccount } from '../api/verification.ts';

/** Verification of payee over Airwallex's public HTTP API. */

type Account = ApiPayee & { way: string };

export function httpVerification(api: BankApi): {
  covers(account: Account): boolean;
  verify(account: Account): Promise<{ answer: VerificationAnswer; bankName: string | null }>;
} {
  return {
    covers: (account) => wayOf(account) !== null,
    async verify(account) {
      const way = wayOf(account);
      if (way === null) return impossible;
      try {
        return answerOf(await verifyAccount(api, beneficiaryOf(way, { ...account, name: holderNameOf(account) })));
      } catch (error) {
        // It does not ask about such accounts.
        if (error instanceof BankApiError && error.outcome === 'refused') return impossible;
        throw error;
      }
    },
  };
}

const impossible = { answer: 'impossible', bankName: null } as const;
const byNumber: ReadonlySet<string> = new Set(['account', 'iban']);

/** Null: it is none of a country's own clearing, or leads to no number. */
function wayOf({ country, currency, holder, way }: Account): BankWay | null {
  if (!isCurrency(currency)) return null;
  const found = waysTo(country, currency, holder).find(({ id }) => id === way);
  return found && routeOf(found) === 'local' && byNumber.has(found.account) ? found : null;
}

const answers: Readonly<Record<string, VerificationAnswer>> = {
  FULL_MATCH: 'match',
  PARTIAL_MATCH: 'close',
  NOT_MATCHED: 'none',
};

/** @throws BankApiError where the account's bank cannot be asked now */
function answerOf({ code, details }: VerifiedAccount): { answer: VerificationAnswer; bankName: string | null } {
  if (code === 'EXTERNAL_SERVICE_UNAVAILABLE') throw new BankApiError('unknown', code);
  // There is no such account, and so none of this name.
  if (code === 'INVALID') return { answer: 'none', bankName: null };
  if (code !== 'VERIFIED') return impossible;
  const answer = answers[details?.account_name_match_result ?? ''];
  if (answer === undefined) return impossible;
  const name = details?.account_name ?? null;
  // A name that the bank does not say cannot be compared by people.
  if (answer === 'close' && name === null) return { answer: 'none', bankName: null };
  return { answer, bankName: answer === 'close' ? name : null };
}

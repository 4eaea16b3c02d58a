import { foreseeReview } from 'virtual:calls/transfers';
import type { ForeseenReview } from '@causeway/contract/transfers.ts';
import type { Wallet } from '@causeway/contract/wallets.ts';
import { useDeferredValue } from 'react';
import { invalidateOn } from '../../lib/live.ts';
import { useCall } from '../../lib/queries.ts';
import { type AmountRules, amountProblem, plain } from './amounts.ts';

// Who may approve changes with the rules, with people, and with those on leave.
invalidateOn(['control', 'organisation'], [foreseeReview]);

/** Who will have to approve what is typed; null until it is known, and while there is no amount that could be sent. */
export function useForeseenReview(
  wallet: Wallet | undefined,
  amount: string,
  rules: AmountRules | null,
): ForeseenReview | null {
  const sendable = rules !== null && amountProblem(amount, rules) === null;
  const asked = useDeferredValue(sendable ? plain(amount) : '');
  const answer = useCall(
    foreseeReview,
    { query: { walletId: wallet?.id ?? '', amount: asked } },
    { enabled: wallet !== undefined && asked !== '', quiet: true, keepPrevious: true },
  );
  return sendable && asked !== '' ? (answer.data ?? null) : null;
}

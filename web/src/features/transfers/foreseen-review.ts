import { foreseeReview } from 'virtual:calls/transfers';
import type { Query } from '@causeway/contract/call.ts';
import type { foreseeReview as call, ForeseenReview } from '@causeway/contract/transfers.ts';
import type { Wallet } from '@causeway/contract/wallets.ts';
import { send } from '../../lib/client.ts';
import { invalidateOn } from '../../lib/live.ts';
import { callKey, queryClient, useCall } from '../../lib/queries.ts';
import { useSettled } from '../../lib/settled.ts';
import { type AmountRules, amountProblem, plain } from './amounts.ts';

// It changes with the rules, the policies and the lists, with people and those on leave, and with what else is sent.
invalidateOn(['control', 'organisation', 'transaction', 'balance', 'payee'], [foreseeReview]);

/** As long as a hand rests between two keys. */
const typing_ms = 300;
/** A press of a button waits no longer for what is only foreseen. */
const patience_ms = 3_000;

type ForeseenQuery = Query<typeof call>;

/** What the transfer that is typed would meet. */
export interface Foreseen {
  /** Null until it is known, and while there is no amount that could be sent. */
  review: ForeseenReview | null;
  /** It would be refused: asking for its code would be in vain. */
  blocked: boolean;
  /**
   * Asks at once, for a step that must not rest on what was typed before. Resolves with whether it is blocked; false where no answer
   * came in time, since the submission decides.
   */
  again: () => Promise<boolean>;
}

export function useForeseenReview(
  wallet: Wallet | undefined,
  payeeId: string,
  amount: string,
  rules: AmountRules | null,
): Foreseen {
  const sendable = wallet !== undefined && rules !== null && amountProblem(amount, rules) === null;
  const now = queryOf(wallet?.id ?? '', payeeId, plain(amount));
  const text = useSettled(sendable ? JSON.stringify(now) : '', typing_ms);
  const asked: ForeseenQuery = text === '' ? now : JSON.parse(text);
  const answer = useCall(foreseeReview, { query: asked }, { enabled: text !== '', quiet: true, keepPrevious: true });
  const review = sendable && text !== '' ? (answer.data ?? null) : null;
  return { review, blocked: isBlocked(review), again: () => (sendable ? askNow(now) : Promise.resolve(false)) };
}

function queryOf(walletId: string, payeeId: string, amount: string): ForeseenQuery {
  return { walletId, amount, ...(payeeId !== '' && { payeeId }) };
}

async function askNow(query: ForeseenQuery): Promise<boolean> {
  try {
    const review = await send(foreseeReview, { query }, { signal: AbortSignal.timeout(patience_ms) });
    queryClient.setQueryData(callKey(foreseeReview, { query }), review);
    return isBlocked(review);
  } catch {
    // Whatever is wrong, the submission finds and says.
    return false;
  }
}

/** Whether a submission would be refused, as far as it can be foreseen. */
export function isBlocked(review: ForeseenReview | null): boolean {
  return review !== null && (review.stop !== null || (review.outcome !== 'off' && review.outcome !== 'required'));
}

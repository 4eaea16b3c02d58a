import type { ForeseenReview } from '@causeway/contract/transfers.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import type { SignedInContext } from '../../../platform/session.ts';
import { foreseeRouting } from '../../approvals/index.ts';
import type { ChainFamilies } from '../../chains/index.ts';
import { findCodeRecipients } from '../../organisation/index.ts';
import { usdCentsOf } from '../../outgoing/index.ts';
import { foreseeRisk, riskSentence } from '../../risk/index.ts';
import { riskSubjectOf } from '../../transfers/index.ts';
import type { PayingWallet } from '../store/confirmations.ts';
import type { TradeRow } from '../store/trades.ts';
import { isOpen } from './content.ts';

export interface ForeseePorts {
  families: ChainFamilies;
}

/** What confirming a trade would meet now, judged by the functions that judge it; null where this reader cannot confirm it. Nothing is counted or recorded. */
export async function foreseeConfirmation(
  tx: Tx,
  context: SignedInContext & ForeseePorts,
  trade: TradeRow,
  wallet: PayingWallet | null,
): Promise<ForeseenReview | null> {
  const { session, clock, locale, families } = context;
  if (wallet === null || !isOpen(trade) || session.isLook || !session.permissions.includes('transfer.create'))
    return null;
  const { chainId, asset: coin, decimals, quantityMinor, payeeWallet: payeeAccount } = trade;
  const [administrators = []] = await findCodeRecipients(tx, [session]);
  const codeRecipient = administrators.length > 0 ? ('administrator' as const) : ('initiator' as const);
  const valueUsdCents = centsOf(wallet, { coin, decimals, quantityMinor }, clock.now());
  if (valueUsdCents === null) return { outcome: 'rateStale', rule: null, steps: [], stop: null, codeRecipient };
  // Under an id of its own, so that no earlier count is left out.
  const subject = { id: newId(), chainId, coin, decimals, quantityMinor, payeeAccount, initiatorId: session.userId };
  const verdict = await foreseeRisk(tx, riskSubjectOf(families, { ...subject, valueUsdCents }));
  const stop = verdict.reason === null ? null : { by: verdict.reason, sentence: riskSentence(locale, verdict) };
  return { ...(await foreseeRouting(tx, context, valueUsdCents)), stop, codeRecipient };
}

/** In US cents; null while no price is fresh enough to decide by. */
function centsOf(
  { price }: PayingWallet,
  { coin, decimals, quantityMinor }: { coin: string; decimals: number; quantityMinor: bigint },
  now: Date,
): bigint | null {
  try {
    return usdCentsOf({ price, coin, decimals }, quantityMinor, now);
  } catch (error) {
    if (error instanceof DomainError && error.key === 'rateStale') return null;
    throw error;
  }
}

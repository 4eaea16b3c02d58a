import type { ForeseenReview } from '@causeway/contract/transfers.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { newId } from '../../../platform/ids.ts';
import type { SignedInContext } from '../../../platform/session.ts';
import { foreseeRouting } from '../../approvals/index.ts';
import { findCodeRecipients } from '../../organisation/index.ts';
import { usdValue } from '../../rates/index.ts';
import { foreseeRisk, riskSentence } from '../../risk/index.ts';
import type { Priced } from '../domain.ts';
import { riskSubjectOf } from '../kind.ts';
import type { Sides } from '../store/sides.ts';

/** What the company's rules would make of an exchange at this price; nothing is counted or recorded. `stop` is of risk alone. */
export async function foreseeExchange(
  tx: Tx,
  { session, locale }: SignedInContext,
  { sell, buy }: Sides,
  { priced: { soldMinor }, mids }: { priced: Pick<Priced, 'soldMinor'>; mids: { sell: { usd: string } } },
): Promise<ForeseenReview> {
  const valueUsdCents = usdValue(soldMinor, sell.decimals, mids.sell.usd);
  const subject = riskSubjectOf({
    // Under an id of its own, so that no exchange's earlier count is left out.
    id: newId(),
    sellAsset: sell.asset,
    isCoin: sell.chainId !== null,
    decimals: sell.decimals,
    quantityMinor: soldMinor,
    valueUsdCents,
    account: buy.account,
    initiatorId: session.userId,
  });
  const verdict = await foreseeRisk(tx, subject);
  const [administrators = []] = await findCodeRecipients(tx, [session]);
  const routing = await foreseeRouting(tx, { session, locale }, valueUsdCents);
  return {
    ...routing,
    stop: verdict.reason === null ? null : { by: verdict.reason, sentence: riskSentence(locale, verdict) },
    codeRecipient: administrators.length > 0 ? 'administrator' : 'initiator',
  };
}

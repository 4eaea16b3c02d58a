import type { Body, OutputInput } from '@causeway/contract/call.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import type { quoteCryptoPayment } from '@causeway/contract/payments.ts';
import type { ForeseenReview } from '@causeway/contract/transfers.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError, invariant } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import type { SignedInContext } from '../../../platform/session.ts';
import { foreseeRouting } from '../../approvals/index.ts';
import type { ChainFamilies } from '../../chains/index.ts';
import { offer, priceOfPurchase, type Quotation, readSides, type Sides } from '../../exchange/index.ts';
import { amountOf, refusal } from '../../ledger/index.ts';
import { findCodeRecipients } from '../../organisation/index.ts';
import { usdValue } from '../../rates/index.ts';
import { foreseeRisk, riskSentence } from '../../risk/index.ts';
import { riskSubjectOf } from '../kind.ts';
import { feeOf, wayOf } from '../service/content.ts';
import { brokenRule } from '../service/outlook.ts';
import { type PayoutRow, readPayoutRow } from '../store/submission.ts';
import { inExchangeLater } from './content.ts';

type Context = SignedInContext & { families: ChainFamilies };
type Asked = Body<typeof quoteCryptoPayment>;

/**
 * What a payment out of a coin wallet costs: a firm price for what the payee is credited and the fee of its way, as `quoteExchange` makes it; and what the
 * company's rules would make of it. It moves nothing.
 * @throws DomainError walletNotFound, payoutNotAtBank, payeeNotFound, payeeOtherCurrency, payoutWayClosed, amountFormat, amountTooManyDecimals,
 * amountTooLarge, exchangePairOff, exchangeSameWallet, exchangeTooSmall, quoteUnavailable, walletFrozen, companyFrozen
 */
export async function quote(tx: Tx, context: Context, asked: Asked): Promise<OutputInput<typeof quoteCryptoPayment>> {
  const { walletId, bankWalletId, payeeId } = asked;
  const sides = await readSides(tx, { sellWalletId: walletId, buyWalletId: bankWalletId });
  if (!sides || sides.sell.chainId === null) throw new DomainError('walletNotFound');
  const row = await readPayoutRow(tx, { id: null, walletId: bankWalletId, payeeId });
  if (!row) throw refusal('payoutNotAtBank', {}, 'bankWalletId');
  const { payee, currency, decimals } = row;
  if (!payee || payee.status === 'deleted') throw refusal('payeeNotFound', {}, 'payeeId');
  if (payee.currency !== currency) throw refusal('payeeOtherCurrency', { currency: payee.currency }, 'payeeId');
  const way = wayOf(payee);
  if (!way) throw refusal('payoutWayClosed', {}, 'payeeId');
  const amountMinor = amountOf(asked.amount, { asset: currency, decimals });
  const feeMinor = feeOf(row, way);
  const quotation = await inExchangeLater(() => priceOfPurchase(tx, sides, amountMinor + feeMinor));
  const review = await foresee(tx, context, { asked, row, sides, quotation, amountMinor });
  const say = (minor: bigint) => formatAmount(minor, decimals);
  const offered = await offer(tx, context, { sides, fixed: 'buy', quotation, review });
  return { ...offered, payout: { asset: currency, decimals, amount: say(amountMinor), fee: say(feeMinor) } };
}

interface Foreseen {
  asked: Asked;
  row: PayoutRow;
  sides: Sides;
  quotation: Quotation;
  amountMinor: bigint;
}

async function foresee(
  tx: Tx,
  context: Context,
  { asked, row, sides, quotation, amountMinor }: Foreseen,
): Promise<ForeseenReview> {
  const { session, locale, families } = context;
  const { sell } = sides;
  const { payee, currency, decimals } = row;
  invariant(payee, 'a payment has its payee');
  const { soldMinor } = quotation.priced;
  const valueUsdCents = usdValue(soldMinor, sell.decimals, quotation.mids.sell.usd);
  const [administrators = []] = await findCodeRecipients(tx, [session]);
  const routing = await foreseeRouting(tx, context, valueUsdCents);
  const broken = brokenRule(row, { ...asked, form: 'payment' }, amountMinor, locale, 'bought');
  const subject = riskSubjectOf(families, {
    // Under an id of its own, so that no payment's earlier count is left out.
    id: newId(),
    currency,
    decimals,
    quantityMinor: amountMinor,
    valueUsdCents,
    country: payee.country,
    account: payee.account,
    initiatorId: session.userId,
    coins: { asset: sell.asset, decimals: sell.decimals, quantityMinor: soldMinor },
  });
  const verdict = broken === null ? await foreseeRisk(tx, subject) : null;
  const byRisk = verdict?.reason ? { by: verdict.reason, sentence: riskSentence(locale, verdict) } : null;
  return {
    ...routing,
    stop: broken === null ? byRisk : { by: 'rule', sentence: broken },
    codeRecipient: administrators.length > 0 ? 'administrator' : 'initiator',
  };
}

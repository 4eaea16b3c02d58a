import { holderNameOf } from '@causeway/contract/bank-rules.ts';
import type { OutputInput, Query } from '@causeway/contract/call.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import type { foreseePayout } from '@causeway/contract/payments.ts';
import { isPurposeNeeded, routeOf } from '@causeway/contract/payments-rules.ts';
import type { ForeseenReview } from '@causeway/contract/transfers.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError, invariant } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import type { SignedInContext } from '../../../platform/session.ts';
import { translate } from '../../../platform/text/texts.ts';
import { foreseeRouting } from '../../approvals/index.ts';
import { nameOfPlace } from '../../banks/index.ts';
import type { ChainFamilies } from '../../chains/index.ts';
import { amountOf, refusal } from '../../ledger/index.ts';
import { findCodeRecipients } from '../../organisation/index.ts';
import { usdCentsOf } from '../../outgoing/index.ts';
import { changedUntilOf, findBankPayeeVersion, viewBankAccount } from '../../payees/index.ts';
import { foreseeRisk, riskSentence } from '../../risk/index.ts';
import { findWallets } from '../../wallets/index.ts';
import { bearersFor, checkPayout, printedOf, remittanceOf } from '../domain.ts';
import { riskSubjectOf } from '../kind.ts';
import { type PayoutRow, readPayoutRow } from '../store/submission.ts';
import { arrivalOf, factsOf, feeOf, wayOf, withBought } from './content.ts';

type Context = SignedInContext & { families: ChainFamilies };
type Asked = Query<typeof foreseePayout>;

/**
 * What a payment would be, were it submitted now, in the order of a submission: the rules of every payment, risk, approvals. Nothing is counted or
 * recorded. Of policies and lists it says the sentence of the refusal and no more.
 * @throws DomainError walletNotFound, payoutNotAtBank, payeeNotFound, payeeOtherCurrency, payoutWayClosed, amountFormat, amountTooManyDecimals,
 *   amountTooLarge
 */
export async function outlook(tx: Tx, context: Context, asked: Asked): Promise<OutputInput<typeof foreseePayout>> {
  const { locale } = context;
  const [wallet] = await findWallets(tx, asked.walletId);
  if (!wallet) throw new DomainError('walletNotFound');
  const row = await readPayoutRow(tx, { id: null, walletId: asked.walletId, payeeId: asked.payeeId });
  if (!row || wallet.bank === null) throw refusal('payoutNotAtBank', {}, 'walletId');
  const { payee, decimals } = row;
  if (!payee || payee.status === 'deleted') throw refusal('payeeNotFound', {}, 'payeeId');
  if (payee.currency !== row.currency) throw refusal('payeeOtherCurrency', { currency: payee.currency }, 'payeeId');
  const way = wayOf(payee);
  if (!way) throw refusal('payoutWayClosed', {}, 'payeeId');
  const account = await findBankPayeeVersion(tx, payee.versionId);
  invariant(account, 'a payee has its account');
  const until = changedUntilOf(payee, row.changedPayeeDays);
  const isChanged = until !== null && until > row.at;
  const before =
    isChanged && payee.beforeVersionId !== null ? await findBankPayeeVersion(tx, payee.beforeVersionId) : null;
  const text = asked.remittance ?? '';
  const remittance = remittanceOf(way, text);
  const say = (minor: bigint) => formatAmount(minor, decimals);
  return {
    asset: row.currency,
    decimals,
    bankName: nameOfPlace(wallet.bank, locale),
    available: say(row.availableMinor),
    fee: say(feeOf(row, way)),
    minimum: say(row.minimumMinor),
    transferLimit: row.transferLimitMinor === null ? null : say(row.transferLimitMinor),
    dailyLimit: row.dailyLimitMinor === null ? null : say(row.dailyLimitMinor),
    account: viewBankAccount(account, locale),
    before: before && viewBankAccount(before, locale),
    changedUntil: isChanged ? until.toISOString() : null,
    route: routeOf(way),
    charges: bearersFor(way, row),
    isPurposeNeeded: isPurposeNeeded(payee.country) && !way.fields.some(({ name }) => name === 'purpose'),
    remittance: {
      most: way.remittance,
      printed: text === '' ? null : printedOf(way, text),
      isReference: remittance !== null && 'reference' in remittance,
    },
    nameSent: printedOf(way, holderNameOf(payee)),
    arrival: asArrival(arrivalOf(row, way)),
    review: asked.amount === undefined ? null : await review(tx, context, asked, row, asked.amount),
  };
}

function asArrival({ isCertain: certain, ...days }: ReturnType<typeof arrivalOf>) {
  return { ...days, certain };
}

async function review(tx: Tx, context: Context, asked: Asked, row: PayoutRow, amount: string): Promise<ForeseenReview> {
  const amountMinor = amountOf(amount, { asset: row.currency, decimals: row.decimals });
  const [administrators = []] = await findCodeRecipients(tx, [context.session]);
  const valueUsdCents = centsOf(row, amountMinor, context);
  const stop = await foreseeStop(tx, context, { asked, row, amountMinor, valueUsdCents });
  const routing =
    valueUsdCents === null
      ? { outcome: 'rateStale' as const, rule: null, steps: [] }
      : await foreseeRouting(tx, context, valueUsdCents);
  return { ...routing, stop, codeRecipient: administrators.length > 0 ? 'administrator' : 'initiator' };
}

/** In US cents; null while no price is fresh enough to decide by. */
function centsOf(row: PayoutRow, amountMinor: bigint, { clock }: Context): bigint | null {
  try {
    return usdCentsOf({ ...row, coin: row.currency }, amountMinor, clock.now());
  } catch (error) {
    if (error instanceof DomainError && error.key === 'rateStale') return null;
    throw error;
  }
}

interface Foreseen {
  asked: Asked;
  row: PayoutRow;
  amountMinor: bigint;
  valueUsdCents: bigint | null;
}

async function foreseeStop(
  tx: Tx,
  { families, locale, session }: Context,
  { asked, row, amountMinor, valueUsdCents }: Foreseen,
): Promise<ForeseenReview['stop']> {
  const broken = brokenRule(row, asked, amountMinor, locale);
  if (broken !== null) return { by: 'rule', sentence: broken };
  const { payee, currency, decimals } = row;
  if (valueUsdCents === null || !payee) return null;
  // Under an id of its own, so that no payment's earlier count is left out.
  const judged = { id: newId(), currency, decimals, quantityMinor: amountMinor, valueUsdCents };
  const { country, account } = payee;
  const subject = riskSubjectOf(families, { ...judged, country, account, initiatorId: session.userId });
  const verdict = await foreseeRisk(tx, subject);
  return verdict.reason === null ? null : { by: verdict.reason, sentence: riskSentence(locale, verdict) };
}

/** The sentence of the first rule that it breaks, at the fee in force and without files; null when it breaks none. `bought`: what it needs is bought for it. */
export function brokenRule(
  row: PayoutRow,
  asked: Pick<Asked, 'form' | 'charges' | 'purpose' | 'remittance'>,
  amountMinor: bigint,
  locale: Locale,
  money: 'own' | 'bought' = 'own',
): string | null {
  const found = factsOf(row);
  const facts = money === 'own' ? found : withBought(found, amountMinor);
  const [first = 'shared'] = facts.way === null ? [] : bearersFor(facts.way, facts);
  try {
    checkPayout(facts, {
      form: asked.form,
      versionId: row.payee?.versionId ?? '',
      amountMinor,
      feeMinor: facts.feeMinor,
      charges: asked.charges ?? first,
      purpose: asked.purpose ?? null,
      remittance: asked.remittance ?? '',
      attachments: 0,
      attachmentTypes: [],
    });
    return null;
  } catch (error) {
    if (error instanceof DomainError) return translate(locale, `error.${error.key}`, error.details);
    throw error;
  }
}

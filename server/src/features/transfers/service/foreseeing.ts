import type { OutputInput, Query } from '@causeway/contract/call.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import type { ForeseenReview, foreseeReview } from '@causeway/contract/transfers.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import type { SignedInContext } from '../../../platform/session.ts';
import { translate } from '../../../platform/text/texts.ts';
import { foreseeRouting } from '../../approvals/index.ts';
import { type ChainFamilies, familyOf } from '../../chains/index.ts';
import { amountOf, refusal } from '../../ledger/index.ts';
import { findCodeRecipients } from '../../organisation/index.ts';
import { usdCentsOf } from '../../outgoing/index.ts';
import { foreseeRisk, riskSentence } from '../../risk/index.ts';
import { checkSubmission } from '../domain.ts';
import { riskSubjectOf } from '../kind.ts';
import { readSubmission, type SubmissionRow } from '../store/submission.ts';

type ForeseeingContext = SignedInContext & { families: ChainFamilies };

/**
 * What this transfer would meet, were it submitted now, in the order of a submission: the rules of every transfer, risk, approvals. Judged by
 * the functions that judge a submission; nothing is counted or recorded. Of policies and lists it says the sentence of the refusal and no
 * more.
 * @throws DomainError walletNotFound, payeeNotFound, amountFormat, amountTooManyDecimals, amountTooLarge
 */
export async function foresee(
  tx: Tx,
  context: ForeseeingContext,
  { walletId, payeeId, amount }: Query<typeof foreseeReview>,
): Promise<OutputInput<typeof foreseeReview>> {
  const row = await readSubmission(tx, { id: null, walletId, payeeId: payeeId ?? null });
  if (!row) throw new DomainError('walletNotFound');
  const amountMinor = amountOf(amount, { asset: row.coin, decimals: row.decimals });
  if (payeeId !== undefined && !row.payee) throw refusal('payeeNotFound', {}, 'payeeId');
  const [administrators = []] = await findCodeRecipients(tx, [context.session]);
  const valueUsdCents = centsOf(row, amountMinor, context);
  const stop = row.payee && (await foreseeStop(tx, context, { row, payee: row.payee, amountMinor, valueUsdCents }));
  const review: Pick<ForeseenReview, 'outcome' | 'rule' | 'steps'> =
    valueUsdCents === null
      ? { outcome: 'rateStale', rule: null, steps: [] }
      : await foreseeRouting(tx, context, valueUsdCents);
  return { ...review, stop, codeRecipient: administrators.length > 0 ? 'administrator' : 'initiator' };
}

/** In US cents; null while no price is fresh enough to decide by. */
function centsOf(row: SubmissionRow, amountMinor: bigint, { clock }: ForeseeingContext): bigint | null {
  try {
    return usdCentsOf(row, amountMinor, clock.now());
  } catch (error) {
    if (error instanceof DomainError && error.key === 'rateStale') return null;
    throw error;
  }
}

interface Foreseen {
  row: SubmissionRow;
  payee: NonNullable<SubmissionRow['payee']>;
  amountMinor: bigint;
  valueUsdCents: bigint | null;
}

async function foreseeStop(
  tx: Tx,
  { families, locale, session }: ForeseeingContext,
  { row, payee, amountMinor, valueUsdCents }: Foreseen,
): Promise<ForeseenReview['stop']> {
  const broken = brokenRule(row, families, amountMinor, locale);
  if (broken !== null) return { by: 'rule', sentence: broken };
  if (valueUsdCents === null) return null;
  const subject = riskSubjectOf(families, {
    // Under an id of its own, so that no transfer's earlier count is left out.
    id: newId(),
    chainId: row.walletChainId,
    coin: row.coin,
    decimals: row.decimals,
    quantityMinor: amountMinor,
    valueUsdCents,
    payeeAccount: payee.address,
    initiatorId: session.userId,
  });
  const verdict = await foreseeRisk(tx, subject);
  return verdict.reason === null ? null : { by: verdict.reason, sentence: riskSentence(locale, verdict) };
}

/** The sentence of the first rule that it breaks, at the fee in force; null when it breaks none. */
function brokenRule(row: SubmissionRow, families: ChainFamilies, amountMinor: bigint, locale: Locale): string | null {
  try {
    const { feeMinor } = row;
    checkSubmission({ ...row, attachmentsFound: 0 }, familyOf(families, row), {
      amountMinor,
      feeMinor,
      attachments: 0,
    });
    return null;
  } catch (error) {
    if (error instanceof DomainError) return translate(locale, `error.${error.key}`, error.details);
    throw error;
  }
}

import type { Locale } from '@causeway/contract/locale.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import type { RiskHit } from '@causeway/contract/risk.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { inputsFromJson } from '../store/inputs.ts';
import type { LogRow } from '../store/log.ts';
import { riskSentence } from './assess.ts';
import { usdOf } from './figures.ts';

/** A hit as the contract shows it; what was refused at its submission has no transaction to lead to. */
export function asHit(row: LogRow, locale: Locale): RiskHit {
  const { hit } = row;
  invariant(hit, 'a hit has the judgement that made it');
  const { subject } = inputsFromJson(hit.inputs);
  return {
    id: row.id,
    at: row.at.toISOString(),
    moment: hit.moment,
    reason: hit.reason,
    sentence: riskSentence(locale, hit),
    transactionId: hit.moment === 'submission' ? null : hit.transactionId,
    business: subject.business,
    chain: subject.chainId,
    coin: subject.coin,
    currency: subject.currency,
    quantity: formatAmount(subject.quantityMinor, subject.decimals),
    valueUsd: usdOf(subject.valueUsdCents),
    account: subject.account,
    initiator: hit.initiatorName,
    policyVersion: hit.policyVersion,
  };
}

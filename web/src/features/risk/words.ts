import {
  type ListAccountType,
  type ListKind,
  listDimensions,
  type RiskDimension,
  type RiskMoment,
} from '@causeway/contract/risk-rules.ts';
import type { Tone } from '../../ui/status-dot.tsx';

/** The address of each list; its log and import are beneath it. */
export const listPaths: Record<ListKind, string> = {
  white: '/app/risk-setting/whitelist',
  black: '/app/risk-setting/blacklist',
};

export const policyPath = '/app/risk-setting/policy';

export const listTexts: Record<ListKind, string> = { white: 'risk.tab.whitelist', black: 'risk.tab.blacklist' };

export const accountTypeTexts: Record<ListAccountType, string> = {
  bank_no: 'risk.type.bank_no',
  crypto_address: 'risk.type.crypto_address',
};

export const entryStatuses: Record<'in_use' | 'deleted', { text: string; tone: Tone }> = {
  in_use: { text: 'risk.status.in_use', tone: 'positive' },
  deleted: { text: 'risk.status.deleted', tone: 'neutral' },
};

export const dimensionTexts: Record<RiskDimension, string> = {
  chain: 'risk.dimension.chain',
  coin: 'risk.dimension.coin',
  crypto_quantity: 'risk.dimension.crypto_quantity',
  crypto_value: 'risk.dimension.crypto_value',
  crypto_frequency: 'risk.dimension.crypto_frequency',
  fiat_currency: 'risk.dimension.fiat_currency',
  fiat_amount: 'risk.dimension.fiat_amount',
  fiat_frequency: 'risk.dimension.fiat_frequency',
  payment_region: 'risk.dimension.payment_region',
  initiator: 'risk.dimension.initiator',
  department: 'risk.dimension.department',
  role: 'risk.dimension.role',
};

export const momentTexts: Record<RiskMoment, string> = {
  submission: 'risk.moment.submission',
  decision: 'risk.moment.decision',
  handover: 'risk.moment.handover',
};

/** A list has nothing to add up, so that its window says nothing. */
export function hasWindow(dimension: RiskDimension): boolean {
  return !listDimensions.some((one) => one === dimension);
}

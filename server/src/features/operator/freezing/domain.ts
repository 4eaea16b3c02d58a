import type { FreezeKind } from '@causeway/contract/freeze-rules.ts';

/** The events of the audit logs, the operator's and the company's. */
export const freezeActions = {
  company: 'operator.freezeCompany',
  wallet: 'operator.freezeWallet',
  member: 'operator.freezeMember',
} as const satisfies Record<FreezeKind, string>;

export const unfreezeActions = {
  company: 'operator.unfreezeCompany',
  wallet: 'operator.unfreezeWallet',
  member: 'operator.unfreezeMember',
} as const satisfies Record<FreezeKind, string>;

/** Proposals that unfreeze, by what they unfreeze. */
export const unfreezeKinds = {
  company: 'company.unfreeze',
  wallet: 'wallet.unfreeze',
  member: 'member.unfreeze',
} as const satisfies Record<FreezeKind, string>;

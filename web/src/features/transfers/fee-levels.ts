import type { FeeLevel } from '@causeway/contract/transfers-rules.ts';

/** The word of each level. */
export const levelTexts: Readonly<Record<FeeLevel, string>> = {
  economy: 'transfers.fee.economy',
  normal: 'transfers.fee.normal',
  urgent: 'transfers.fee.urgent',
};

/** What announced payments tell the features to the right, through the outbox. */
export const rechargeEvents = {
  /** `{ noticeId }`: a company says that it has paid. */
  announced: 'wallets.rechargeAnnounced',
} as const;

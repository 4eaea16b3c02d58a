/** What risk announces through the outbox. */
export const riskEvents = {
  /** A list or the policies changed: pending transactions are to be judged again. Payload `{ entryId, kind }`. */
  listChanged: 'risk.listChanged',
} as const;

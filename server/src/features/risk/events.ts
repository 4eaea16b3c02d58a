/** What risk announces through the outbox. */
export const riskEvents = {
  /** A list or the policies changed: what is pending is to be judged anew. Payload `{ entryId, kind }`. */
  listChanged: 'risk.listChanged',
} as const;

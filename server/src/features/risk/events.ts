/** What risk announces through the outbox. */
export const riskEvents = {
  /** A list or the policies changed: pending transactions are to be judged again. Payload `{ entryId, kind }`. */
  listChanged: 'risk.listChanged',
  /** A judgement stopped a transaction; announced with its record. Payload `{ assessmentId }`. */
  stopped: 'risk.stopped',
} as const;

/** What outgoing announces; each payload is `{ transactionId }`. */
export const outgoingEvents = {
  /** The payment can be handed to its rail. */
  approved: 'outgoing.approved',
  /** What the payment waited for at its rail has arrived: a network fee, an answer. */
  resumed: 'outgoing.resumed',
  /** A payment to a bank account was submitted, whatever it waits for. */
  toBank: 'outgoing.toBank',
} as const;

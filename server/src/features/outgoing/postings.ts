/** Kinds of postings of every outgoing payment, as the ledger has always named them. */
export const postings = {
  hold: 'transfer.reserve',
  release: 'transfer.release',
  settle: 'transfer.settle',
} as const;

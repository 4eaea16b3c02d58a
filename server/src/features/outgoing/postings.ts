/** Kinds of postings of every outgoing payment, as the ledger has always named them. */
export const postings = {
  hold: 'transfer.reserve',
  release: 'transfer.release',
  settle: 'transfer.settle',
} as const;

/** Of payments that were submitted together, while they are held and not entered; their source is that by which they are approved. */
export const joinedPostings = {
  hold: 'batch.reserve',
  release: 'batch.release',
} as const;

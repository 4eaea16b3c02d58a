/** The plain rules of runs of batches, without a schema library (docs/adr/0095-…). */

export const maxRunRows = 5000;

/** Where a row of a run is: `waiting`, for approval or its turn; `underWay`, handed over. */
export const batchRowStates = ['waiting', 'underWay', 'completed', 'failed'] as const;
export type BatchRowState = (typeof batchRowStates)[number];

/**
 * What a person should look at before a run is approved, the most important first. `changedAccount`: the payee's account was changed lately; `lookAlike`: its address or
 * name looks like another payee's; `newPayee`: never paid before;
 * `outlier`: at least three times the median of what the payee was paid before, or of the run's rows in its asset; `duplicate`: the payee was paid, or is to be paid, the
 * same amount within 90 days, or twice in the run; `sentAgain`: an earlier transaction of the row came to nothing.
 */
export const runFindings = ['changedAccount', 'lookAlike', 'newPayee', 'duplicate', 'outlier', 'sentAgain'] as const;
export type RunFinding = (typeof runFindings)[number];

/** How many times the median an amount is that is remarkable. */
export const outlierTimes = 3;
/** Within how many days the same amount to the same payee is a duplicate. */
export const duplicateDays = 90;

/** What refuses the content of a run, wherever it is read. */
export const runContentErrors = [
  'batchChanged',
  'batchFeesChanged',
  'batchNotFound',
  'batchNothingToSend',
  'batchRowsRefused',
  'batchRowsWrong',
] as const;

/** Whether a batch has other rows than its file; null: it has none. */
export function differsFromFile<E extends { mended: number; added: number; removed: number }>(
  edits: E | null,
): edits is E {
  return edits !== null && edits.mended + edits.added + edits.removed > 0;
}

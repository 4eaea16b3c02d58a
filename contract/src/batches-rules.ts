/** Batches of payouts: fields, problems and limits, without a schema library (docs/adr/0095-…). */

export const maxBatchRows = 5000;
export const maxBatchColumns = 200;
/** The longest value that a cell may have, in characters. */
export const maxCellLength = 500;
export const batchNameMaxLength = 120;
/** So many rows are given their meaning at once, by one call of `readBatch`. */
export const batchPartRows = 500;
/** So many rows can be typed, pasted, taken out or let pass with one call. */
export const maxRowsAtOnce = 200;

/** What a row can say, in the order of the template's columns. */
export const batchFields = [
  'payee',
  'account',
  'asset',
  'place',
  'amount',
  'remittance',
  'invoiceNumber',
  'category',
  'notes',
  'purpose',
  'charges',
  'feeLevel',
  // Details of a payee that is not saved yet.
  'name',
  'holder',
  'country',
  'bic',
  'bankCode',
  'branchCode',
  'accountType',
  'addressLine1',
  'town',
  'postcode',
] as const;
export type BatchField = (typeof batchFields)[number];

/** A row as it was written: those of its fields that were filled. */
export type Written = Partial<Record<BatchField, string>>;

/** Where rows came from. */
export const batchSources = ['csv', 'pain001', 'typed', 'template'] as const;
export type BatchSource = (typeof batchSources)[number];

/** How a CSV file's bytes can be decoded. */
export const batchEncodings = ['utf-8', 'utf-16le', 'utf-16be', 'big5', 'gb18030'] as const;
export type BatchEncoding = (typeof batchEncodings)[number];

/**
 * `mapping`: its columns are not matched yet, or one of them has values and no meaning that is known. `reading`: rows have no meaning yet. `draft`: can be mended and submitted. `submitted`: has
 * been submitted at least once, and its rows stay as they are.
 */
export const batchStates = ['mapping', 'reading', 'draft', 'submitted'] as const;
export type BatchState = (typeof batchStates)[number];

/** What rows are shown: all, those with an error, those with a warning that no one has let pass. */
export const batchRowFilters = ['all', 'wrong', 'warned', 'newPayee'] as const;
export type BatchRowFilter = (typeof batchRowFilters)[number];

/** What is wrong with a row; each has a sentence and what to do: `batches.problem.<key>`, `batches.mend.<key>`. */
export const batchErrors = [
  'required',
  'tooLong',
  'forbiddenCharacters',
  'invisibleCharacters',
  'payeeUnknown',
  'payeeAmbiguous',
  'payeeDiffers',
  'payeeOtherPlace',
  'payeeNotSaved',
  'payeeDetailsLacking',
  'addressInvalid',
  'addressChecksum',
  'addressNetwork',
  'addressReserved',
  'assetUnknown',
  'placeUnknown',
  'placeAmbiguous',
  'walletMissing',
  'amountFormat',
  'amountAmbiguous',
  'amountScientific',
  'amountOtherAsset',
  'amountZero',
  'amountTooManyDecimals',
  'amountTooLarge',
  'remittanceTooLong',
  'remittanceCharacters',
  'purposeUnknown',
  'purposeNeeded',
  'chargesUnknown',
  'chargesNotOffered',
  'feeLevelUnknown',
] as const;
export type BatchError = (typeof batchErrors)[number];

/** What a person looks at and may let pass. */
export const batchWarnings = ['duplicate', 'nameDiffers'] as const;
export type BatchWarning = (typeof batchWarnings)[number];

export type BatchProblemKey = BatchError | BatchWarning;

/** A problem as it is stored; `column` is the field in which it is shown. */
export interface BatchProblem {
  column: BatchField;
  key: BatchProblemKey;
  severity: 'error' | 'warning';
  /** Blanks of the sentence. */
  blanks: Record<string, string | number>;
}

/** Why a file is not read at all; each has a sentence: `batches.file.<problem>`. */
export const batchFileProblems = [
  'spreadsheet',
  'archive',
  'pdf',
  'page',
  'binary',
  'encoding',
  'noRows',
  'tooManyRows',
  'tooManyColumns',
  'cellTooLong',
  'quotes',
  'ragged',
  'message',
  'otherMessage',
  'controlSum',
  'count',
] as const;
export type BatchFileProblem = (typeof batchFileProblems)[number];

/** Of each CSV file at least these have to be matched: an amount, and whom to pay. */
export function isMapped(mapping: Partial<Record<BatchField, unknown>>): boolean {
  return mapping.amount !== undefined && (mapping.payee !== undefined || mapping.account !== undefined);
}

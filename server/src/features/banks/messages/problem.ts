/**
 * Why a file of a bank cannot be read. Each has a sentence, `bank.file.<problem>`, which names the path of the element (or the line,
 * before there is a path) and the value found there.
 */
export type BankFileProblem =
  | 'amountDecimals'
  | 'amountFormat'
  | 'amountNegative'
  | 'currency'
  | 'date'
  | 'dateTime'
  | 'direction'
  | 'doctype'
  | 'empty'
  | 'encoding'
  | 'flag'
  | 'message'
  | 'missing'
  | 'notXml'
  | 'number'
  | 'order'
  | 'paymentMethod'
  | 'textTooLong'
  | 'tooDeep'
  | 'tooLarge'
  | 'tooManyAttributes'
  | 'tooManyElements'
  | 'twice'
  | 'version';

/** A file that cannot be read, or not wholly: nothing of it may be used. */
export class BankFileError extends Error {
  readonly problem: BankFileProblem;
  /** Blanks of the sentence: `path`, `value`, `line`, `column`, `most`. */
  readonly details: Readonly<Record<string, string | number>>;

  constructor(problem: BankFileProblem, details: Record<string, string | number> = {}) {
    super(problem);
    this.name = 'BankFileError';
    this.problem = problem;
    this.details = Object.fromEntries(
      Object.entries(details).map(([name, value]) => [name, typeof value === 'string' ? shown(value) : value]),
    );
  }
}

/** The beginning of what a stranger wrote, without what could steer a terminal or hide in a sentence. */
function shown(value: string): string {
  const visible = value.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '\ufffd');
  return visible.length > 200 ? `${visible.slice(0, 200)}…` : visible;
}

/** Why the mempool refuses a transaction, in the words and with the codes of Bitcoin Core. */
export class Rejection extends Error {
  /** -25 when inputs are missing or the fee is above the sender's own limit, -27 when it is in a block, otherwise -26. */
  readonly code: -25 | -26 | -27;
  /** The short reason, as `testmempoolaccept` has it; the message has the details after it. */
  readonly reason: string;

  constructor(reason: string, detail = '', code: -25 | -26 | -27 = -26) {
    super(detail === '' ? reason : `${reason}, ${detail}`);
    this.name = 'Rejection';
    this.reason = reason;
    this.code = code;
  }
}

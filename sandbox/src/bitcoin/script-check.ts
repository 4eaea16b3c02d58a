import { CoinView, type RawTransaction, Script } from './bcoin.ts';
import type { Transaction } from './transaction.ts';

/** What Core says of the script errors that a wrong signature or key leads to. */
const WORDS: Readonly<Record<string, string>> = {
  EVAL_FALSE: 'Script evaluated without error but finished with a false/empty top stack element',
  EQUALVERIFY: 'Script failed an OP_EQUALVERIFY operation',
  VERIFY: 'Script failed an OP_VERIFY operation',
  NULLFAIL: 'Signature must be zero for failed CHECK(MULTI)SIG operation',
  SIG_DER: 'Non-canonical DER signature',
  SIG_HIGH_S: 'Non-canonical signature: S value is unnecessarily high',
  SIG_HASHTYPE: 'Signature hash type missing or not understood',
  WITNESS_PROGRAM_MISMATCH: 'Witness program hash mismatch',
  WITNESS_PROGRAM_WITNESS_EMPTY: 'Witness program was passed an empty witness',
  WITNESS_UNEXPECTED: 'Witness provided for non-witness script',
  WITNESS_MALLEATED: 'Witness requires empty scriptSig',
  WITNESS_PUBKEYTYPE: 'Using non-compressed keys in segwit',
  DISCOURAGE_UPGRADABLE_WITNESS_PROGRAM: 'Witness version reserved for soft-fork upgrades',
  UNSATISFIED_LOCKTIME: 'Locktime requirement not satisfied',
  CLEANSTACK: 'Stack size must be exactly one after execution',
};

/**
 * Runs the scripts of all inputs in bcoin's interpreter; returns Core's words for what is wrong, or null. `spent` are the
 * transactions whose outputs the inputs spend, in their order. Spends of Taproot outputs are refused, since bcoin is older.
 */
export function scriptFault({ parsed }: Transaction, spent: readonly Transaction[]): string | null {
  const view = new CoinView();
  for (const [index, { prevout }] of parsed.inputs.entries()) {
    const output = spent[index]?.parsed.outputs[prevout.index];
    if (output !== undefined) view.addOutput(prevout, output);
  }
  const { MANDATORY_VERIFY_FLAGS, STANDARD_VERIFY_FLAGS } = Script.flags;
  const fault = run(parsed, view, STANDARD_VERIFY_FLAGS);
  if (fault === null) return parsed.hasStandardWitness(view) ? null : 'bad-witness-nonstandard';
  const isMandatory = run(parsed, view, MANDATORY_VERIFY_FLAGS | CONSENSUS_FLAGS) !== null;
  return `${isMandatory ? 'mandatory' : 'non-mandatory'}-script-verify-flag${isMandatory ? '-failed' : ''} (${WORDS[fault] ?? fault})`;
}

/** DERSIG, NULLDUMMY, CHECKLOCKTIMEVERIFY, CHECKSEQUENCEVERIFY and WITNESS: in force on regtest from its first block. */
const CONSENSUS_FLAGS = 4 | 16 | 512 | 1024 | 2048;

function run(parsed: RawTransaction, view: CoinView, flags: number): string | null {
  try {
    parsed.check(view, flags);
    return null;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return String(error.code);
    throw error;
  }
}

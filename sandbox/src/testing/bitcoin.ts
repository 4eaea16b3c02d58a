import { hex } from '@scure/base';
import { Transaction as Draft, p2wpkh } from '@scure/btc-signer';
import { pubECDSA, sha256 } from '@scure/btc-signer/utils.js';
import { REGTEST } from '../bitcoin/outputs.ts';
import type { Outpoint } from '../bitcoin/transaction.ts';

/** A key outside of the sandbox, which spends as it likes: what the mempool must judge. */

export const REPLACEABLE = 0xfffffffd;
const key = sha256(new TextEncoder().encode('payer of the tests'));
const own = p2wpkh(pubECDSA(key), REGTEST);

export const payer = { address: own.address ?? '', script: hex.encode(own.script) };

export interface Spending {
  inputs: readonly (Outpoint & { value: number; sequence?: number })[];
  /** Satoshis to the payer's own address unless a script is named. */
  outputs: readonly { value: number; script?: string }[];
  locktime?: number;
}

/** The signed bytes of a transaction. */
export function spend(spending: Spending): string {
  const draft = draftOf(spending);
  draft.sign(key);
  draft.finalize();
  return draft.hex;
}

/** The same without signatures, for a test that puts it where nothing asks for them. */
export const unsigned = (spending: Spending): string => hex.encode(draftOf(spending).unsignedTx);

function draftOf({ inputs, outputs, locktime = 0 }: Spending): Draft {
  const draft = new Draft({ allowUnknownOutputs: true, lockTime: locktime });
  for (const { txid, vout, value, sequence = REPLACEABLE } of inputs) {
    draft.addInput({ txid, index: vout, sequence, witnessUtxo: { script: own.script, amount: BigInt(value) } });
  }
  for (const { value, script = payer.script } of outputs) {
    draft.addOutput({ script: hex.decode(script), amount: BigInt(value) });
  }
  return draft;
}

/** An adapter's view of a node: one call of Core's RPC. */
export async function askCore(
  url: string,
  body: unknown,
  password?: string,
): Promise<{ status: number; text: string; answer: Record<string, unknown> }> {
  const { host, username, password: known } = new URL(url);
  const response = await fetch(`http://${host}`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${username}:${password ?? known}`)}` },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, text, answer: text === '' ? {} : JSON.parse(text) };
}

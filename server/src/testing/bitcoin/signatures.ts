import { hex } from '@scure/base';
import { HDKey } from '@scure/bip32';
import { Address, OutScript, p2pkh, Transaction } from '@scure/btc-signer';
import { hash160 } from '@scure/btc-signer/utils.js';

const coding = Address({ bech32: 'bcrt', pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef });

/**
 * Whether each input of a signed transaction has a signature of its address's own key over all of it, at what the chain has it worth: what a node
 * checks of P2WPKH (BIP 141, BIP 143), by the library's own digest.
 */
export function isSignedBy(raw: string, spent: readonly { address: string; amountMinor: bigint }[]): boolean {
  const transaction = Transaction.fromRaw(hex.decode(raw), { allowUnknownOutputs: true });
  if (transaction.inputsLength !== spent.length) return false;
  return spent.every(({ address, amountMinor }, place) => {
    const [signature = new Uint8Array(), publicKey = new Uint8Array()] =
      transaction.getInput(place).finalScriptWitness ?? [];
    const script = OutScript.encode(coding.decode(address));
    const isKey = hex.encode(script) === `0014${hex.encode(hash160(publicKey))}`;
    const digest = transaction.preimageWitnessV0(place, p2pkh(publicKey).script, 1, amountMinor);
    const key = new HDKey({ publicKey, chainCode: new Uint8Array(32) });
    return isKey && signature.at(-1) === 1 && key.verify(digest, compactOf(signature.subarray(0, -1)));
  });
}

/** A DER signature as two numbers of 32 bytes. */
function compactOf(der: Uint8Array): Uint8Array {
  const lengthOfR = der[3] ?? 0;
  const r = der.subarray(4, 4 + lengthOfR);
  const s = der.subarray(6 + lengthOfR);
  const padded = (number: Uint8Array) => hex.encode(number).replace(/^00/, '').padStart(64, '0');
  return hex.decode(padded(r) + padded(s));
}

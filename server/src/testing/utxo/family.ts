import { createHash } from 'node:crypto';
import type { AddressSource, ChainFamily } from '../../features/chains/index.ts';
import { refusal } from '../../features/ledger/index.ts';

/** Addresses of the tests' UTXO family: `tb1` and 32 letters with a checksum of six in their middle. */

const prefix = 'tb1';
const alphabet = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const half = 16;
const checksumLength = 6;
const whole = new RegExp(`^${prefix}[${alphabet}]{${2 * half + checksumLength}}$`);

function lettersOf(text: string, length: number): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, length);
  return [...bytes].map((byte) => alphabet[byte & 31]).join('');
}

/** The address of 32 letters. */
export function utxoAddress(letters: string): string {
  return `${prefix}${letters.slice(0, half)}${lettersOf(letters, checksumLength)}${letters.slice(half)}`;
}

/** The letters of an address, its checksum taken out. */
function bodyOf(address: string): string {
  const body = address.slice(prefix.length);
  return body.slice(0, half) + body.slice(half + checksumLength);
}

/** The same address for the same text; of no company. */
export function utxoAddressOf(text: string): string {
  return utxoAddress(lettersOf(text, 2 * half));
}

const keyOf = (address: string) => address.toLowerCase();
const isReserved = (address: string) => bodyOf(keyOf(address)) === 'q'.repeat(2 * half);

/** Not EVM-shaped: a checksum of its own, no contracts, several addresses a company, each for one deposit. */
export const utxoFamily: ChainFamily = {
  name: 'utxo',
  hasForm: (text) => text.toLowerCase().startsWith(prefix),
  readAddress(text, field = 'address') {
    const address = keyOf(text);
    const isOneCase = text === address || text === text.toUpperCase();
    if (!isOneCase || !whole.test(address)) throw refusal('addressInvalid', {}, field);
    if (address !== utxoAddress(bodyOf(address))) throw refusal('addressChecksum', {}, field);
    if (isReserved(address)) throw refusal('addressReserved', {}, field);
    return address;
  },
  isReserved,
  writeContract: (contract) => contract,
  keyOf,
  isSame: (a, b) => keyOf(a) === keyOf(b),
  likeness: (address) => keyOf(address).slice(prefix.length, prefix.length + 4) + keyOf(address).slice(-4),
  choosesFee: false,
  freshAfterUse: true,
  nativeDecimals: 8,
  firstFees: { BTC: 20_000n },
  paymentUri({ address, decimals, amountMinor }) {
    if (amountMinor === undefined) return `utxo:${address}`;
    const digits = amountMinor.toString().padStart(decimals + 1, '0');
    return `utxo:${address}?amount=${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
  },
};

/** The addresses of a wallet that the seed names. */
export function utxoAddresses(seed: string): AddressSource {
  return {
    family: utxoFamily,
    addressAt: (companyIndex, ordinal) => utxoAddressOf(`${seed}/${companyIndex}/${ordinal}`),
    changeFrom: null,
    apartFrom: 0,
    gasTank: null,
    treasury: null,
  };
}

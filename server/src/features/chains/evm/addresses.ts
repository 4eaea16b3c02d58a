import { evmForm } from '@causeway/contract/address-forms.ts';
import { getAddress, isAddress } from 'viem/utils';
import { refusal } from '../../ledger/index.ts';

/** EVM addresses: how they are read, and which are no one's. */

export function hasEvmForm(text: string): boolean {
  return evmForm.whole.test(text);
}

/**
 * Reads an EVM address. All lower or all upper case carries no checksum and is given one; mixed case must match its own
 * (EIP-55).
 * @returns the address as EIP-55 writes it
 * @throws DomainError addressInvalid, addressChecksum, addressReserved on the field named
 */
export function readAddress(text: string, field = 'address'): string {
  if (!hasEvmForm(text)) throw refusal('addressInvalid', {}, field);
  const digits = text.slice(2);
  const oneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase();
  const address = `0x${oneCase ? digits.toLowerCase() : digits}` as const;
  if (!oneCase && !isAddress(address, { strict: true })) throw refusal('addressChecksum', {}, field);
  if (isReserved(address)) throw refusal('addressReserved', {}, field);
  return getAddress(address);
}

/** Addresses to which coins are sent to be destroyed, beside those that the rules below cover. */
const burning = new Set([
  '0xdead000000000000000042069420694206942069',
  '0xdeaddeaddeaddeaddeaddeaddeaddeaddeaddead',
  '0xdeadbeefdeadbeefdeadbeefdeadbeefdeadbeef',
  '0x000000000000000000000000000000000000dead',
  '0x0000000000000000000000000000000000000000',
]);

/**
 * Whether no one can have the key of an address: the range of precompiles and system contracts (EIP-1352: up to 0xffff, which
 * holds the zero address, those in use and the commonest burn address), one digit forty times, and known burn addresses.
 */
export function isReserved(address: string): boolean {
  const digits = address.slice(2).toLowerCase();
  return /^0{36}/.test(digits) || /^(.)\1{39}$/.test(digits) || burning.has(`0x${digits}`);
}

/** Case only carries the checksum. */
export function keyOf(address: string): string {
  return address.toLowerCase();
}

/** What a hurried eye compares of an address: its first and last four hex characters. */
export function likenessOf(address: string): string {
  return (address.slice(2, 6) + address.slice(-4)).toLowerCase();
}

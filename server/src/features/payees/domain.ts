import { getAddress, isAddress } from 'viem/utils';
import { refusal } from '../ledger/index.ts';

const evmPattern = /^0x[0-9a-fA-F]{40}$/;

/**
 * Reads an EVM address. All lower or all upper case carries no checksum and is given one; mixed case must match its own
 * (EIP-55).
 * @returns the address as EIP-55 writes it
 * @throws DomainError addressInvalid, addressChecksum on the field named
 */
export function readEvmAddress(text: string, field = 'address'): string {
  if (!evmPattern.test(text)) throw refusal('addressInvalid', {}, field);
  const digits = text.slice(2);
  const oneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase();
  const address = `0x${oneCase ? digits.toLowerCase() : digits}` as const;
  if (!oneCase && !isAddress(address, { strict: true })) throw refusal('addressChecksum', {}, field);
  // The zero address takes money and never gives it back.
  if (/^0+$/.test(digits)) throw refusal('addressInvalid', {}, field);
  return getAddress(address);
}

/** What a hurried eye compares of an address: its first and last four hex characters. */
export function likenessOf(address: string): string {
  return (address.slice(2, 6) + address.slice(-4)).toLowerCase();
}

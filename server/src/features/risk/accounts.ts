import { accountMaxLength, accountMinLength, type ListAccountType } from '@causeway/contract/risk-rules.ts';
import { electronicFormatIBAN, getCountrySpecifications, isValidIBAN } from 'ibantools';
import { type ChainFamilies, familyOfAddress, readAnyAddress } from '../chains/index.ts';
import { refusal } from '../ledger/index.ts';

/** An account as its own rule writes it, and the key by which spellings of it are the same. */
export interface ListedAccount {
  account: string;
  key: string;
}

/**
 * Reads an account for a list: an address by its family's rule, a bank account of 6 to 35 letters and digits, and
 * an IBAN by its checksum (ISO 13616).
 * @throws DomainError addressInvalid, addressChecksum, addressReserved, bankAccountInvalid, ibanChecksum on the field `account`
 */
export function readListAccount(families: ChainFamilies, type: ListAccountType, text: string): ListedAccount {
  const account = type === 'crypto_address' ? readAnyAddress(families, text.trim(), 'account') : readBankAccount(text);
  return { account, key: accountKey(families, type, account) };
}

/** Equal for all spellings of one account: of an address its family knows them. */
export function accountKey(families: ChainFamilies, type: ListAccountType, account: string): string {
  const plain = account.replaceAll(/\s/g, '');
  if (type === 'bank_no') return plain.toUpperCase();
  return familyOfAddress(families, plain)?.keyOf(plain) ?? plain;
}

function readBankAccount(text: string): string {
  const account = text.replaceAll(/\s/g, '').toUpperCase();
  const isPlain = /^[A-Z0-9]+$/.test(account);
  if (!isPlain || account.length < accountMinLength || account.length > accountMaxLength) {
    throw refusal('bankAccountInvalid', { least: accountMinLength, most: accountMaxLength }, 'account');
  }
  if (looksLikeIban(account) && !isValidIBAN(account)) throw refusal('ibanChecksum', {}, 'account');
  return account;
}

/** A country that uses IBANs, two check digits, and as much as the shortest IBAN has. */
function looksLikeIban(account: string): boolean {
  const country = /^([A-Z]{2})\d{2}[A-Z0-9]{11,}$/.exec(electronicFormatIBAN(account) ?? '')?.[1];
  return country !== undefined && Boolean(getCountrySpecifications()[country]?.IBANRegistry);
}

import { invariant } from '../../platform/domain-error.ts';
import { refusal } from '../ledger/index.ts';

/**
 * The port to a family of chains: what every process must know of the addresses, coins and payment requests of its chains
 * (docs/adr/0055). A family is one value; the entry points bind those that they serve in one map.
 */

export interface ChainFamily {
  /** As `chain.family` names it. */
  readonly name: string;
  /** Whether a text is written as addresses of the family are, its checksum aside. No two families share a form. */
  hasForm(text: string): boolean;
  /**
   * @returns the address as its chain writes it, so that equal addresses are equal texts
   * @throws DomainError addressInvalid, addressChecksum, addressNetwork, addressReserved on the field named
   */
  readAddress(text: string, field?: string): string;
  /** Whether no one can have the key of an address. */
  isReserved(address: string): boolean;
  /** A token's contract or issuer, as its chain writes it in blocks and receipts. */
  writeContract(contract: string): string;
  /** The same text for all spellings of one address. */
  keyOf(address: string): string;
  isSame(a: string, b: string): boolean;
  /** What a hurried eye compares of an address; its last four characters at least, by which candidates are found. */
  likeness(address: string): string;
  /** Whether who sends chooses what the network takes; otherwise the withdrawal fee is the same for all. */
  readonly choosesFee: boolean;
  /** Whether every deposit is to get an address that none went to before. */
  readonly freshAfterUse: boolean;
  /** Decimals in which its chains count their own coin. */
  readonly nativeDecimals: number;
  /** Withdrawal fees until the operator sets others, in minor units of each coin; 0 for coins that are not named. */
  readonly firstFees: Readonly<Record<string, bigint>>;
  /** A request to pay as wallets read it from a QR code. */
  paymentUri(request: ReceivingRequest): string;
}

/** What a payment URI asks for; `amountMinor` in the coin's minor units, left open when absent. */
export interface ReceivingRequest {
  /** EIP-155; null where the chain has none. */
  evmChainId: number | null;
  /** The receiving address, as its chain writes it. */
  address: string;
  /** The token's contract; null for the chain's own coin. */
  contract: string | null;
  decimals: number;
  amountMinor?: bigint;
}

export type ChainFamilies = ReadonlyMap<string, ChainFamily>;

/** Derives a family's addresses; only in the process that knows the extended public key. */
export interface AddressSource {
  readonly family: ChainFamily;
  /** The address of a company's index; `ordinal` 0 is the company's account, 1 and more are its further addresses. */
  addressAt(companyIndex: number, ordinal: number): string;
  /** From which ordinal on its addresses are for change, which no one is shown; null where nothing comes back from a payment. */
  readonly changeFrom: number | null;
  /** Added to the places of addresses that are opened apart, so that they are none of those that are opened one after the other. */
  readonly apartFrom: number;
  /** The address that advances network fees; null where a chain needs none. */
  readonly gasTank: string | null;
  /** The address of the platform's own coins; null where the family has none, so that its coins cannot be settled. */
  readonly treasury: string | null;
}

export type AddressSources = ReadonlyMap<string, AddressSource>;

export function familiesByName(families: readonly ChainFamily[]): ChainFamilies {
  return new Map(families.map((family) => [family.name, family]));
}

export function sourcesByFamily(sources: readonly AddressSource[]): AddressSources {
  return new Map(sources.map((source) => [source.family.name, source]));
}

export function familyOf(families: ChainFamilies, chain: { family: string }): ChainFamily {
  const family = families.get(chain.family);
  invariant(family, `${chain.family} is a family of chains that this process serves`);
  return family;
}

export function sourceOf(sources: AddressSources, chain: { family: string }): AddressSource {
  const source = sources.get(chain.family);
  invariant(source, `addresses of the family ${chain.family} are derived in this process`);
  return source;
}

/** The family in whose form an address is written, whichever its chain; null where none has it. */
export function familyOfAddress(families: ChainFamilies, text: string): ChainFamily | null {
  return [...families.values()].find((family) => family.hasForm(text)) ?? null;
}

/**
 * Reads an address whose chain is not named, by the rules of the family in whose form it is written.
 * @throws DomainError addressInvalid, addressChecksum, addressNetwork, addressReserved on the field named
 */
export function readAnyAddress(families: ChainFamilies, text: string, field: string): string {
  const family = familyOfAddress(families, text);
  if (!family) throw refusal('addressInvalid', {}, field);
  return family.readAddress(text, field);
}

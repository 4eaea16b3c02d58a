/**
 * How each family of chains writes its addresses, for what a form does before the server has checked one (docs/adr/0055). A family
 * that is not here loses only that: its addresses are checked when their field is left.
 */

export interface AddressForm {
  /** The family's name, as `listChains` says it. */
  family: string;
  /** Matches at the beginning of every address of the form; what it matches is left out when ends are compared. */
  prefix: RegExp;
  /** Matches a whole address, its checksum aside. */
  whole: RegExp;
  /** Upper and lower case do not tell two addresses apart. */
  ignoresCase: boolean;
}

/** EIP-55: the case of the digits carries the checksum alone. */
export const evmForm: AddressForm = {
  family: 'evm',
  prefix: /^0x/,
  whole: /^0x[0-9a-fA-F]{40}$/,
  ignoresCase: true,
};

/** BIP 173 and BIP 350, of any of Bitcoin's networks: a program of 20 or of 32 bytes. */
const bitcoinBech32Form: AddressForm = {
  family: 'bitcoin',
  prefix: /^(bcrt|bc|tb)1/i,
  whole: /^(bcrt|bc|tb)1([qpzry9x8gf2tvdw0s3jn54khce6mua7l]{39}|[qpzry9x8gf2tvdw0s3jn54khce6mua7l]{59})$/i,
  ignoresCase: true,
};

/** Base58Check, of any of Bitcoin's networks. A name may begin with the same letter or digit, so only the whole address has the form. */
const bitcoinBase58Form: AddressForm = {
  family: 'bitcoin',
  prefix: /^(?=[123mn][1-9A-HJ-NP-Za-km-z]{24,34}$)/,
  whole: /^[123mn][1-9A-HJ-NP-Za-km-z]{24,34}$/,
  ignoresCase: false,
};

const forms: readonly AddressForm[] = [evmForm, bitcoinBech32Form, bitcoinBase58Form];

/** The form in which a text begins; null where none is known. */
export function formOf(text: string): AddressForm | null {
  return forms.find(({ prefix }) => prefix.test(text)) ?? null;
}

/** How many characters addresses of a text's form have in common at their beginning; 0 where the form is not known. */
export function prefixLength(text: string): number {
  return formOf(text)?.prefix.exec(text)?.[0].length ?? 0;
}

/** Whether a text is as long as an address of a family is; false where the family's form is not known. */
export function isWholeAddress(text: string, family?: string): boolean {
  const form = formOf(text);
  return form !== null && (family === undefined || form.family === family) && form.whole.test(text);
}

export function isKnownForm(family: string): boolean {
  return forms.some((form) => form.family === family);
}

export const addressTypes = ['p2pkh', 'p2sh', 'segwit', 'taproot'] as const;
export type AddressType = (typeof addressTypes)[number];

const types: readonly [AddressType, RegExp][] = [
  ['taproot', /^(bcrt|bc|tb)1p/i],
  ['segwit', /^(bcrt|bc|tb)1q/i],
  ['p2pkh', /^[1mn]/],
  ['p2sh', /^[23]/],
];

/** Which of Bitcoin's types of address a text begins as; null for what does not begin as one of Bitcoin's addresses. */
export function addressTypeOf(text: string): AddressType | null {
  if (formOf(text)?.family !== 'bitcoin') return null;
  return types.find(([, begins]) => begins.test(text))?.[0] ?? null;
}

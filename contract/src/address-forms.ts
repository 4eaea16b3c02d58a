/**
 * How each family of chains writes its addresses, for what a form does before the server has checked one (docs/adr/0055). A family
 * that is not here loses only that: its addresses are checked when their field is left.
 */

export interface AddressForm {
  /** The family's name, as `listChains` says it. */
  family: string;
  /** Every address of the family begins so; it is left out when ends are compared. */
  prefix: string;
  /** Matches a whole address, its checksum aside. */
  whole: RegExp;
  /** Upper and lower case do not tell two addresses apart. */
  ignoresCase: boolean;
}

/** EIP-55: the case of the digits carries the checksum alone. */
export const evmForm: AddressForm = {
  family: 'evm',
  prefix: '0x',
  whole: /^0x[0-9a-fA-F]{40}$/,
  ignoresCase: true,
};

const forms: readonly AddressForm[] = [evmForm];

/** The form in which a text begins; null where none is known. */
export function formOf(text: string): AddressForm | null {
  return forms.find(({ prefix }) => text.startsWith(prefix)) ?? null;
}

/** Whether a text is as long as an address of a family is; false where the family's form is not known. */
export function isWholeAddress(text: string, family?: string): boolean {
  const form = formOf(text);
  return form !== null && (family === undefined || form.family === family) && form.whole.test(text);
}

export function isKnownForm(family: string): boolean {
  return forms.some((form) => form.family === family);
}

/**
 * IBANs, without a schema library. What follows the check digits, by country (SWIFT's IBAN registry; a test compares it with the
 * registry's entries of `ibantools`): n digits, a capital letters, c capital letters and digits.
 */
const table = `
AD 8n12c AE 3n16n AL 8n16c AT 16n AZ 4a20c BA 16n BE 12n BG 4a6n8c BH 4a14c BR 23n1a1c BY 4a4n16c CH 5n12c CR 18n CY 8n16c CZ 20n DE 18n
DK 14n DO 4a20n EE 16n EG 25n ES 20n FI 14n FO 14n FR 10n11c2n GB 4a14n GE 2c16n GI 4a15c GL 14n GR 7n16c GT 24c HR 17n HU 24n IE 4c14n
IL 19n IQ 4a15n IS 22n IT 1a10n12c JO 4a4n18c KW 4a22c KZ 3n13c LB 4n20c LC 4a24c LI 5n12c LT 16n LU 3n13c LV 4a13c LY 21n MC 10n11c2n
MD 2c18c ME 18n MK 3n10c2n MN 16n MR 23n MT 4a5n18c MU 4a19n3a NI 4a20n NL 4a10n NO 11n OM 3n16c PK 4c16n PL 24n PS 4c21n PT 21n QA 4a21c
RO 4a16c RS 18n RU 14n15c SA 2n18c SC 4a20n3a SD 14n SE 20n SI 15n SK 20n SM 1a10n12c SO 19n ST 21n SV 4a20n TL 19n TN 20n TR 5n17c UA 6n19c
VA 18n VG 4c16n XK 16n YE 4a4n18c`;

const classes: Readonly<Record<string, string>> = { n: '[0-9]', a: '[A-Z]', c: '[A-Z0-9]' };

/** Whole IBANs of a country, without spaces. */
const patterns = new Map(
  [...table.matchAll(/([A-Z]{2}) ([0-9nac]+)/g)].map(([, country = '', form = '']) => [
    country,
    new RegExp(
      `^${country}\\d{2}${form.replaceAll(/(\d+)([nac])/g, (_, count: string, kind: string) => `${classes[kind]}{${count}}`)}$`,
    ),
  ]),
);

/** Countries and territories whose accounts have the IBAN of another. */
const prefixes: Readonly<Record<string, string>> = Object.fromEntries([
  ['AX', 'FI'],
  ...['GG', 'IM', 'JE'].map((country) => [country, 'GB']),
  ...['BL', 'GF', 'GP', 'MF', 'MQ', 'NC', 'PF', 'PM', 'RE', 'TF', 'WF', 'YT'].map((country) => [country, 'FR']),
]);

/** SEPA's geographical scope (European Payments Council, EPC409-09), by ISO 3166-1. */
export const sepaCountries: ReadonlySet<string> = new Set(
  (
    'AD AL AT AX BE BG BL CH CY CZ DE DK EE ES FI FR GB GF GG GI GP GR HR HU IE IM IS IT JE LI LT LU LV MC MD ME MF MK MQ MT NL NO PL PM PT RE ' +
    'RO RS SE SI SK SM VA YT'
  ).split(' '),
);

/** How the IBANs of a country begin; null where it has none. */
export function ibanPrefixOf(country: string): string | null {
  const prefix = prefixes[country] ?? country;
  return patterns.has(prefix) ? prefix : null;
}

/** Capital letters and digits alone, as messages have it. */
export function plainIban(text: string): string {
  return text.replaceAll(/[\s-]/g, '').toUpperCase();
}

/** In groups of four, as people read it. */
export function groupedIban(text: string): string {
  return plainIban(text).replaceAll(/(.{4})(?=.)/g, '$1 ');
}

export type IbanProblem = 'ibanCountry' | 'ibanForm' | 'ibanChecksum';

/** What is wrong with the IBAN of an account in a country; null where it can exist. */
export function ibanProblem(text: string, country: string): IbanProblem | null {
  const iban = plainIban(text);
  const prefix = ibanPrefixOf(country);
  if (prefix === null || (/^[A-Z]{2}/.test(iban) && !iban.startsWith(prefix))) return 'ibanCountry';
  if (!patterns.get(prefix)?.test(iban)) return 'ibanForm';
  return remainder97(iban.slice(4) + iban.slice(0, 4)) === 1 ? null : 'ibanChecksum';
}

/** ISO 7064 mod 97-10: letters count from A = 10. */
function remainder97(text: string): number {
  const digits = text.replaceAll(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return [...digits].reduce((rest, digit) => (rest * 10 + Number(digit)) % 97, 0);
}

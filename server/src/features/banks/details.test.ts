import { bankFieldProblems } from '@causeway/contract/bank-fields.ts';
import { waysTo } from '@causeway/contract/bank-rules.ts';
import { currencyCodes } from '@causeway/contract/currencies.ts';
import { ibanPrefixOf, ibanProblem, sepaCountries } from '@causeway/contract/iban.ts';
import { locales } from '@causeway/contract/locale.ts';
import { composeIBAN, getCountrySpecifications } from 'ibantools';
import { expect, test } from 'vitest';
import { bankFieldLabel, bankFieldSentence } from './details.ts';

const registry = Object.entries(getCountrySpecifications()).filter(([, { IBANRegistry }]) => IBANRegistry);
/** Territories that the library lists by themselves; their IBANs begin with FR or FI. */
const territories = new Set('AX GF GP MF MQ NC PF PM RE TF WF YT'.split(' '));

test('our forms of IBANs are those of the registry', () => {
  for (const [country, { chars, bban_regexp: pattern }] of registry) {
    if (territories.has(country)) {
      expect(ibanPrefixOf(country)).toMatch(/^F[RI]$/);
      continue;
    }
    expect(ibanPrefixOf(country)).toBe(country);
    const account = sample(pattern ?? '');
    const iban = composeIBAN({ countryCode: country, bban: account }) ?? `${country}00${account}`;
    expect(iban).toHaveLength(chars ?? 0);
    expect(ibanProblem(iban, country)).not.toBe('ibanForm');
    expect(ibanProblem(iban.slice(0, -1), country)).toBe('ibanForm');
    expect(ibanProblem(`${iban}0`, country)).toBe('ibanForm');
  }
  const inRegistry = new Set(registry.map(([country]) => country));
  const ours = 'AF AO BB CN DZ GA HK IR JP KE MA SG US'.split(' ');
  expect(ours.filter((country) => inRegistry.has(country) || ibanPrefixOf(country) !== null)).toEqual([]);
});

test('SEPA countries have IBANs', () => {
  expect([...sepaCountries].filter((country) => ibanPrefixOf(country) === null)).toEqual([]);
});

test('every field that any country asks for has a name in three languages', () => {
  const countries = [...registry.map(([country]) => country), ...'HK CN SG US JP AU CA NZ IN MX KE'.split(' ')];
  const fields = countries.flatMap((country) =>
    currencyCodes.flatMap((currency) => waysTo(country, currency, 'enterprise').flatMap((way) => way.fields)),
  );
  const labels = new Map(fields.map((field) => [field.label, field]));
  expect(labels.size).toBeGreaterThan(25);
  for (const locale of locales) {
    for (const field of labels.values()) expect(bankFieldLabel(field, locale)).not.toBe('');
  }
});

test('every problem of a field has a sentence of its own, in three languages', () => {
  for (const locale of locales) {
    const sentences = bankFieldProblems.map((problem) => bankFieldSentence(problem, locale));
    expect(new Set(sentences).size).toBe(bankFieldProblems.length);
  }
});

/** The shortest text of a pattern of character classes and counts. */
function sample(pattern: string): string {
  return pattern
    .replaceAll(/[\^$]/g, '')
    .replaceAll(/\[([^\]]+)\](?:\{(\d+)\})?/g, (_, characters: string, count = '1') =>
      (characters.startsWith('A') ? 'A' : '0').repeat(Number(count)),
    );
}

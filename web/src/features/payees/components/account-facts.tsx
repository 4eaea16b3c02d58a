import type { BankPayeeVersion } from '@causeway/contract/bank-payees.ts';
import { inFours } from '@causeway/contract/recharges-rules.ts';
import { useText } from '../../../lib/locale.tsx';
import { Copied } from '../../../ui/copied.tsx';
import type { Fact } from '../../../ui/description-list.tsx';
import { useCountryName } from '../countries.ts';

/** The facts of an account in the words of its country, those that a person copies with a button. */
export function useAccountFacts(): (account: BankPayeeVersion) => Fact[] {
  const t = useText();
  const countryName = useCountryName();
  return ({ name, folded, country, currency, way, bankName, fields, verification }) => {
    const value = (field: string, text: string) => {
      if (field === 'accountType') return t(`payees.bank.type.${text}`);
      if (field === 'addressCountry') return countryName(text);
      if (field === 'purpose') return t(`payees.bank.purpose.${text}`);
      return text;
    };
    const namesBank = fields.some((field) => field.name === 'bankName');
    return [
      { term: t('payees.bank.name'), value: <Copied text={name} what={t('payees.bank.name')} /> },
      ...(folded !== null && folded.text !== name ? [{ term: t('payees.bank.foldedTerm'), value: folded.text }] : []),
      { term: t('payees.bank.country'), value: countryName(country) },
      { term: t('payees.bank.currency'), value: currency },
      { term: t('payees.bank.way'), value: t(`payees.bank.way.${way}`) },
      ...(bankName !== null && !namesBank ? [{ term: t('payees.bank.bank'), value: bankName }] : []),
      ...fields.map(({ name: field, label, value: text }) => ({
        term: t(`bank.label.${label}`),
        value: copied.has(field) ? (
          <Copied text={text} shown={asRead(field, text)} what={t(`bank.label.${label}`)} />
        ) : (
          value(field, text)
        ),
      })),
      {
        term: t('payees.bank.verification'),
        value:
          verification === null
            ? t('payees.bank.verification.asking')
            : t(`payees.bank.verification.${verification.answer}`, { name: verification.bankName ?? '' }),
      },
    ];
  };
}

/** An IBAN in groups of four, as it is compared by eye; copied without the gaps. */
function asRead(field: string, text: string): string {
  return field === 'iban' ? inFours(text.replaceAll(' ', '')) : text;
}

/** What is written elsewhere digit by digit. */
const copied: ReadonlySet<string> = new Set([
  'account',
  'iban',
  'bic',
  'routingNumber',
  'sortCode',
  'bsb',
  'cnaps',
  'ifsc',
  'clabe',
  'phone',
  'email',
  'fpsId',
]);

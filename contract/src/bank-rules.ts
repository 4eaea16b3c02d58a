import {
  accountType,
  type BankFieldCheck,
  type BankFieldName,
  type BankFieldProblem,
  bic,
  chinese,
  clabe,
  countryCode,
  email,
  form,
  katakana,
  phone,
  plainField,
  purpose,
  routingNumber,
  textUpTo,
} from './bank-fields.ts';
import type { ClearingSystem } from './clearing-systems.ts';
import type { Currency } from './currencies.ts';
import { ibanPrefixOf, ibanProblem, sepaCountries } from './iban.ts';

/**
 * Which details a bank account needs, by country, currency and way: the one table that drives the form, the server's checks and the
 * message that is written. Sources: SWIFT's IBAN registry, the national clearing houses, ISO 20022's external code lists.
 */

export type HolderKind = 'enterprise' | 'personal';

export interface BankField {
  name: BankFieldName;
  /** Text id of what it is called there: `bank.label.<label>`. */
  label: string;
  /** For whom it must be filled, unless the field `unless` is. */
  required: boolean | HolderKind;
  unless?: BankFieldName;
  /** Required of holders who live in the country of the account alone: other countries have addresses without it. */
  ofResidents?: true;
  check: BankFieldCheck;
}

export interface BankWay {
  /** `swift` is the way for what no country's own way carries. */
  id: string;
  currencies: readonly Currency[] | 'any';
  fields: readonly BankField[];
  /** How the message names the bank; null: by its BIC, or by the IBAN alone. */
  clearing: { system: ClearingSystem; member: readonly BankFieldName[]; prefix?: string } | null;
  /** Field that is the account in the message. */
  account: BankFieldName;
  /** Letters that the way carries: Latin without accents, or any. */
  letters: 'latin' | 'any';
  /** Characters of remittance text that reach the payee. */
  remittance: number;
  /** Refuses addresses without town and country since `structuredSince`. */
  needsStructuredAddress: boolean;
  /** Not for this kind of holder. */
  only?: HolderKind;
}

/** SWIFT, SEPA, CHAPS and CHATS refuse unstructured addresses from this day on. */
export const structuredSince = '2026-11-14';

const field = (
  name: BankFieldName,
  check: BankFieldCheck,
  { label = name as string, required = true as BankField['required'] } = {},
): BankField => ({ name, label, required, check });
const optional = { required: false };

const address = (region: boolean, extra: { region?: BankFieldCheck; postcode?: BankFieldCheck } = {}): BankField[] => [
  field('addressLine1', textUpTo(70)),
  field('addressLine2', textUpTo(70), optional),
  field('town', textUpTo(35)),
  { ...field('region', ofResidents(extra.region, 35), { required: region }), ofResidents: true },
  { ...field('postcode', ofResidents(extra.postcode, 16), { required: region }), ofResidents: true },
  field('addressCountry', countryCode, optional),
];

/** The form of the account's country holds for addresses there; those elsewhere have a length alone. */
function ofResidents(check: BankFieldCheck | undefined, most: number): BankFieldCheck {
  const elsewhere = textUpTo(most);
  return (value, country, addressCountry) =>
    (addressCountry === country ? (check ?? elsewhere) : elsewhere)(value, country, addressCountry);
}

const usState = form(
  /^(?:A[KLRZ]|C[AOT]|D[CE]|FL|G[AU]|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|P[AR]|RI|S[CD]|T[NX]|UT|V[AIT]|W[AIVY])$/i,
  'regionForm',
);
const caProvince = form(/^(?:AB|BC|MB|N[BLSTU]|ON|PE|QC|SK|YT)$/i, 'regionForm');
const usAddress = address(true, { region: usState, postcode: form(/^\d{5}(?:-\d{4})?$/, 'postcodeForm') });
const caAddress = address(true, {
  region: caProvince,
  postcode: form(/^[ABCEGHJ-NPRSTVXY]\d[ABCEGHJ-NPRSTV-Z] ?\d[ABCEGHJ-NPRSTV-Z]\d$/i, 'postcodeForm'),
});

const local = { letters: 'latin', needsStructuredAddress: false } as const;
const own: Readonly<Record<string, readonly BankWay[]>> = {
  HK: [
    {
      ...local,
      id: 'hkFps',
      currencies: ['HKD', 'CNY'],
      fields: [
        field('bankCode', form(/^\d{3}$/, 'hkBankForm'), { label: 'hkBankCode' }),
        field('account', form(/^\d{9,17}$/, 'hkAccountForm'), { label: 'hkAccount' }),
      ],
      clearing: { system: 'HKNCC', member: ['bankCode'] },
      account: 'account',
      letters: 'any',
      remittance: 140,
    },
    {
      ...local,
      id: 'hkChats',
      currencies: ['HKD', 'CNY', 'USD'],
      fields: [
        field('bic', bic),
        field('account', form(/^\d{9,17}$/, 'hkAccountForm'), { label: 'hkAccount' }),
        ...address(false),
      ],
      clearing: null,
      account: 'account',
      remittance: 140,
      needsStructuredAddress: true,
    },
    ...(['phone', 'email', 'fpsId'] as const).map(
      (name): BankWay => ({
        ...local,
        id: `hkFps${name === 'fpsId' ? 'Id' : name === 'phone' ? 'Phone' : 'Email'}`,
        currencies: ['HKD', 'CNY'],
        fields: [field(name, { phone, email, fpsId: form(/^(?:\d{7}|\d{9})$/, 'fpsIdForm') }[name])],
        clearing: null,
        account: name,
        letters: 'any',
        remittance: 140,
      }),
    ),
  ],
  CN: [
    {
      ...local,
      id: 'cnCnaps',
      currencies: ['CNY'],
      fields: [
        field('holderName', chinese, { label: 'cnHolderName' }),
        field('bankName', textUpTo(140)),
        field('cnaps', form(/^\d{12}$/, 'cnapsForm'), { required: 'enterprise' }),
        field('account', form(/^\d{8,32}$/, 'cnAccountForm')),
        {
          ...field('phone', form(/^(?:\+?86)?1[3-9]\d{9}$/, 'cnPhoneForm'), { label: 'cnPhone', required: 'personal' }),
          unless: 'cnaps',
        },
      ],
      clearing: { system: 'CNAPS', member: ['cnaps'] },
      account: 'account',
      letters: 'any',
      remittance: 140,
    },
  ],
  SG: [
    {
      ...local,
      id: 'sgFast',
      currencies: ['SGD'],
      fields: [field('bic', bic), field('account', form(/^\d{4,19}$/, 'sgAccountForm'))],
      clearing: null,
      account: 'account',
      remittance: 140,
    },
  ],
  US: [
    {
      ...local,
      id: 'usAch',
      currencies: ['USD'],
      fields: [
        field('routingNumber', routingNumber),
        field('account', form(/^\d{2,18}$/, 'usAccountForm')),
        field('accountType', accountType('checking', 'savings'), { label: 'usAccountType' }),
        ...usAddress,
      ],
      clearing: { system: 'USABA', member: ['routingNumber'] },
      account: 'account',
      remittance: 80,
    },
  ],
  GB: [
    {
      ...local,
      id: 'gbFasterPayments',
      currencies: ['GBP'],
      fields: [field('sortCode', form(/^\d{6}$/, 'sortCodeForm')), field('account', form(/^\d{8}$/, 'gbAccountForm'))],
      clearing: { system: 'GBDSC', member: ['sortCode'] },
      account: 'account',
      remittance: 18,
    },
  ],
  JP: [
    {
      ...local,
      id: 'jpZengin',
      currencies: ['JPY'],
      fields: [
        field('holderName', katakana, { label: 'jpHolderName' }),
        field('bankCode', form(/^\d{4}$/, 'zenginBankForm'), { label: 'zenginBank' }),
        field('branchCode', form(/^\d{3}$/, 'zenginBranchForm'), { label: 'zenginBranch' }),
        field('accountType', accountType('ordinary', 'current', 'savings'), { label: 'jpAccountType' }),
        field('account', form(/^\d{4,7}$/, 'jpAccountForm')),
        field('purpose', purpose),
      ],
      clearing: { system: 'JPZGN', member: ['bankCode', 'branchCode'] },
      account: 'account',
      letters: 'any',
      remittance: 140,
    },
  ],
  AU: [
    {
      ...local,
      id: 'auBecs',
      currencies: ['AUD'],
      fields: [field('bsb', form(/^\d{6}$/, 'bsbForm')), field('account', form(/^\d{5,9}$/, 'auAccountForm'))],
      clearing: { system: 'AUBSB', member: ['bsb'] },
      account: 'account',
      remittance: 18,
    },
  ],
  CA: [
    {
      ...local,
      id: 'caEft',
      currencies: ['CAD'],
      fields: [
        field('institution', form(/^\d{3}$/, 'institutionForm')),
        field('transit', form(/^\d{5}$/, 'transitForm')),
        field('account', form(/^\d{5,12}$/, 'caAccountForm')),
        ...caAddress,
      ],
      clearing: { system: 'CACPA', member: ['institution', 'transit'], prefix: '0' },
      account: 'account',
      remittance: 140,
    },
  ],
  NZ: [
    {
      ...local,
      id: 'nzBecs',
      currencies: ['NZD'],
      // Bank, branch, account and suffix are one number.
      fields: [field('account', form(/^\d{15,16}$/, 'nzAccountForm'), { label: 'nzAccount' })],
      clearing: null,
      account: 'account',
      remittance: 36,
    },
  ],
};

const iban: BankField = field('iban', ibanProblem);

const sepa: BankWay = {
  id: 'sepa',
  currencies: ['EUR'],
  fields: [
    iban,
    field('bic', bic, optional),
    ...address(false).map((each) => ({ ...each, required: each.name === 'town' })),
  ],
  clearing: null,
  account: 'iban',
  letters: 'latin',
  remittance: 140,
  needsStructuredAddress: true,
};

/** By SWIFT to any country: its IBAN where it has them, its own number where it has one, and six to 35 letters and digits elsewhere. */
function swift(country: string): BankWay {
  const account = accountBySwift(country);
  const ifsc = country === 'IN' ? [field('ifsc', form(/^[A-Z]{4}0[A-Z0-9]{6}$/, 'ifscForm'))] : [];
  const routing = country === 'US' ? [field('routingNumber', routingNumber, optional)] : [];
  const where = country === 'US' ? usAddress : country === 'CA' ? caAddress : address(false);
  return {
    id: 'swift',
    currencies: 'any',
    fields: [account, field('bic', bic), ...ifsc, ...routing, ...where],
    clearing: country === 'IN' ? { system: 'INFSC', member: ['ifsc'] } : null,
    account: account.name,
    letters: 'latin',
    remittance: 140,
    needsStructuredAddress: true,
    // Renminbi into the mainland by SWIFT is for enterprises.
    ...(country === 'CN' ? { only: 'enterprise' as const } : {}),
  };
}

function accountBySwift(country: string): BankField {
  if (ibanPrefixOf(country) !== null) return iban;
  if (country === 'MX') return field('clabe', clabe);
  const forms: Readonly<Record<string, BankFieldCheck>> = {
    AU: form(/^\d{5,9}$/, 'auAccountForm'),
    CA: form(/^\d{5,12}$/, 'caAccountForm'),
    CN: form(/^\d{8,32}$/, 'cnAccountForm'),
    HK: form(/^\d{9,17}$/, 'hkAccountForm'),
    JP: form(/^\d{4,7}$/, 'jpAccountForm'),
    NZ: form(/^\d{15,16}$/, 'nzAccountForm'),
    SG: form(/^\d{4,19}$/, 'sgAccountForm'),
    US: form(/^\d{2,18}$/, 'usAccountForm'),
  };
  return field('account', forms[country] ?? form(/^[A-Z0-9]{6,35}$/, 'accountForm'));
}

/** Ways into an account of a country in a currency, the country's own first. */
export function waysTo(country: string, currency: Currency, holder: HolderKind): BankWay[] {
  const sepaWay = sepaCountries.has(country) ? [sepa] : [];
  return [...(own[country] ?? []), ...sepaWay, swift(country)].filter(
    ({ currencies, only }) =>
      (currencies === 'any' || currencies.includes(currency)) && (only === undefined || only === holder),
  );
}

export type BankDetails = { [Name in BankFieldName]?: string | undefined };

/** What is wrong with the details of an account, by field; empty where they can be used. Fields of other ways are not looked at. */
export function problemsOf(
  { fields }: BankWay,
  country: string,
  holder: HolderKind,
  details: BankDetails,
): Partial<Record<BankFieldName, BankFieldProblem>> {
  const addressCountry = addressCountryOf(country, details);
  return Object.fromEntries(
    fields.flatMap(({ name, required, unless, ofResidents: residents, check }) => {
      const value = plainField(name, details[name] ?? '');
      if (value !== '') {
        const problem = check(value, country, addressCountry);
        return problem === null ? [] : [[name, problem]];
      }
      const isReplaced = unless !== undefined && plainField(unless, details[unless] ?? '') !== '';
      const isAsked = (required === true || required === holder) && !(residents && addressCountry !== country);
      return isAsked && !isReplaced ? [[name, 'required']] : [];
    }),
  );
}

/** Where the holder of an account lives: in its country, unless the address says another. */
export function addressCountryOf(country: string, details: BankDetails): string {
  return plainField('addressCountry', details.addressCountry ?? '') || country;
}

/** The number of the account's bank in its clearing system; null where the way, or these details, name none. */
export function clearingMemberOf(
  { clearing }: BankWay,
  details: BankDetails,
): { system: ClearingSystem; member: string } | null {
  if (clearing === null) return null;
  const parts = clearing.member.map((name) => plainField(name, details[name] ?? ''));
  if (parts.some((part) => part === '')) return null;
  return { system: clearing.system, member: (clearing.prefix ?? '') + parts.join('') };
}

/** Whether a way refuses a payment to an address since unstructured ones ended. `day` is the day of the payment. */
export function isAddressRefused(
  { needsStructuredAddress }: BankWay,
  { town, country }: { town: string; country: string },
  day: string,
): boolean {
  return needsStructuredAddress && day >= structuredSince && (town.trim() === '' || country.trim() === '');
}

/**
 * The holder's name as the account's bank has it: in Japan in katakana and in mainland China in Chinese characters, which their forms ask
 * for beside the payee's name; elsewhere the payee's name. Orders carry it, and the bank compares it.
 */
export function holderNameOf({ name, details }: { name: string; details: BankDetails }): string {
  return details.holderName ?? name;
}

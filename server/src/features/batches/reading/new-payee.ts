import type { BankFieldName } from '@causeway/contract/bank-fields.ts';
import { type BankWay, type HolderKind, problemsOf, waysTo } from '@causeway/contract/bank-rules.ts';
import type { BatchField, Written } from '@causeway/contract/batches-rules.ts';
import { countries } from '@causeway/contract/countries.ts';
import { isCurrency } from '@causeway/contract/currencies.ts';
import { familyOfAddress } from '../../chains/index.ts';
import type { Directory, DirectoryWallet } from './directory.ts';
import { holderOf } from './words.ts';

/** The payee that a row describes and that is not saved yet, as the calls that save payees take it. */
export type NewPayee =
  | { kind: 'crypto'; body: { label: string; chain: string; coin: string; address: string } }
  | { kind: 'bank'; body: Record<string, string> };

/** Which fields a row lacks before its payee could be saved. */
export interface Lacking {
  lacks: BatchField[];
}

/** Codes of a bank by the fields that ways have for them; a row has one column for all. */
const bankCodes: readonly BankFieldName[] = [
  'routingNumber',
  'sortCode',
  'bsb',
  'bankCode',
  'institution',
  'cnaps',
  'ifsc',
];
const branchCodes: readonly BankFieldName[] = ['branchCode', 'transit'];
const sameFields = ['bic', 'accountType', 'addressLine1', 'town', 'postcode'] as const;

/** `wallets`: those that the row's asset and place allow. */
export function newPayeeOf(
  { families }: Directory,
  written: Written,
  wallets: readonly DirectoryWallet[],
): NewPayee | Lacking {
  const { account = '' } = written;
  const label = written.payee ?? written.name;
  const family = familyOfAddress(families, account);
  if (family !== null) {
    const on = wallets.filter(({ chain }) => chain?.family === family.name);
    const [wallet, other] = on;
    const lacks: BatchField[] = [
      ...(label === undefined ? (['payee'] as const) : []),
      ...(written.asset === undefined ? (['asset'] as const) : []),
    ];
    if (!wallet?.chain || other !== undefined) lacks.push(written.asset === undefined ? 'asset' : 'place');
    if (lacks.length > 0 || !wallet?.chain) return { lacks: [...new Set(lacks)] };
    const body = {
      label: label ?? '',
      chain: wallet.chain.id,
      coin: wallet.asset,
      address: family.readAddress(account, 'account'),
    };
    return { kind: 'crypto', body };
  }
  return bankPayeeOf(written, label);
}

function bankPayeeOf(written: Written, label: string | undefined): NewPayee | Lacking {
  const holder = holderOf(written.holder ?? '');
  const currency = written.asset?.toUpperCase() ?? '';
  const country = countryOf(written);
  const lacks: BatchField[] = [];
  if (written.name === undefined) lacks.push('name');
  if (holder === null) lacks.push('holder');
  if (!isCurrency(currency)) lacks.push('asset');
  if (country === null) lacks.push('country');
  if (holder === null || country === null || !isCurrency(currency)) return { lacks };
  const tried = waysTo(country, currency, holder).map((way) => {
    const details = detailsFor(way, written);
    const problems = Object.keys(problemsOf(way, country, holder, details)) as BankFieldName[];
    return { way, details, problems };
  });
  const best = tried.reduce<(typeof tried)[number] | null>(
    (least, each) => (least === null || each.problems.length < least.problems.length ? each : least),
    null,
  );
  if (best === null) return { lacks: ['country'] };
  lacks.push(...best.problems.map((field) => columnOf(field, best.way)));
  if (lacks.length > 0) return { lacks: [...new Set(lacks)] };
  const names = namesOf(written.name ?? '', holder);
  const body = { label: label ?? '', holder, ...names, country, currency, way: best.way.id, ...best.details };
  return { kind: 'bank', body };
}

function detailsFor(way: BankWay, written: Written): Partial<Record<BankFieldName, string>> {
  const details: Partial<Record<BankFieldName, string>> = {};
  for (const { name } of way.fields) {
    const value = writtenValue(name, way, written);
    if (value !== undefined) details[name] = value;
  }
  return details;
}

function writtenValue(name: BankFieldName, way: BankWay, written: Written): string | undefined {
  if (name === way.account) return written.account;
  if (bankCodes.includes(name)) return written.bankCode;
  if (branchCodes.includes(name)) return written.branchCode;
  if (name === 'holderName') return written.name;
  return sameFields.find((field) => field === name) === undefined
    ? undefined
    : written[name as (typeof sameFields)[number]];
}

function columnOf(name: BankFieldName, way: BankWay): BatchField {
  if (name === way.account) return 'account';
  if (bankCodes.includes(name)) return 'bankCode';
  if (branchCodes.includes(name)) return 'branchCode';
  if (name === 'holderName') return 'name';
  return sameFields.find((field) => field === name) ?? 'account';
}

/** As it is written; else by the IBAN, or by the bank's BIC. */
function countryOf({ country, account, bic }: Written): string | null {
  const said = country?.toUpperCase();
  const code =
    said ??
    /^([A-Z]{2})\d{2}[A-Z0-9 ]{10,}$/.exec((account ?? '').toUpperCase())?.[1] ??
    /^[A-Z]{4}([A-Z]{2})/.exec((bic ?? '').toUpperCase())?.[1];
  return code !== undefined && (countries as readonly string[]).includes(code) ? code : null;
}

/** A person's name in two: the last word is the family name, or the first character of a name in Chinese characters. */
function namesOf(name: string, holder: HolderKind): Record<string, string> {
  if (holder === 'enterprise') return { enterpriseName: name };
  if (/^[\p{Script=Han}\p{Script=Hangul}]+$/u.test(name)) {
    const [last = '', ...first] = [...name];
    return { lastName: last, firstName: first.join('') };
  }
  const words = name.split(' ');
  return { firstName: words.slice(0, -1).join(' '), lastName: words.at(-1) ?? '' };
}

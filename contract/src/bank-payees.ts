import * as z from 'zod/mini';
import { bankFieldNames } from './bank-fields.ts';
import { accountMarks, holderKinds, payeeNameMaxLength, verificationAnswers } from './bank-payees-rules.ts';
import { problemsOf, waysTo } from './bank-rules.ts';
import { call, nothing } from './call.ts';
import { countries } from './countries.ts';
import { currencyCodes } from './currencies.ts';
import { id, instant, page, pageQuery, text } from './ids.ts';
import { isLabel, name, optionalName } from './names.ts';
import { payeeStatuses } from './payees.ts';
import { isPersonName, personNameMaxLength } from './person-names.ts';

/** Payees with a bank account (decisions, "Payees"). The fields of an account are those of `bank-rules.ts`. */

const label = name(60).check(z.refine(isLabel, { error: 'field.accountLabel' }));
const remark = text(200);
const personName = optionalName(personNameMaxLength).check(
  z.refine((value) => value === '' || isPersonName(value), { error: 'field.personName' }),
);
const country = z.enum(countries, 'field.required');
const currency = z.enum(currencyCodes, 'field.required');
const bankField = z.optional(optionalName(payeeNameMaxLength));

const accountFields = {
  holder: z.enum(holderKinds, 'field.required'),
  /** Of a person. */
  firstName: z.optional(personName),
  lastName: z.optional(personName),
  /** Of an enterprise; it may hold digits and symbols. */
  enterpriseName: z.optional(optionalName(payeeNameMaxLength)),
  /** Where the account is, by ISO 3166-1. */
  country,
  currency,
  /** One of the ways to the country in the currency (`bank-rules.ts`): it says which of the fields below count. */
  way: z.string('field.required').check(z.minLength(1, 'field.required'), z.maxLength(32, 'field.invalid')),
  /** The fields of every way; what the chosen one has no use for is ignored. */
  ...(Object.fromEntries(bankFieldNames.map((each) => [each, bankField])) as Record<
    (typeof bankFieldNames)[number],
    typeof bankField
  >),
};

type Account = z.output<z.ZodMiniObject<typeof accountFields>>;

/** Names by the kind of holder, and the fields that the way needs, each with its own sentence. */
const accountRule = z.check<Account>(({ value, issues }) => {
  const say = (path: string, message: string) => issues.push({ code: 'custom', message, path: [path], input: value });
  const names = value.holder === 'personal' ? (['firstName', 'lastName'] as const) : (['enterpriseName'] as const);
  for (const each of names) if (!value[each]) say(each, 'field.required');
  const way = waysTo(value.country, value.currency, value.holder).find((each) => each.id === value.way);
  if (!way) return void say('way', 'field.invalid');
  for (const [field, problem] of Object.entries(problemsOf(way, value.country, value.holder, value))) {
    say(field, problem === 'required' ? 'field.required' : `bank.detail.${problem}`);
  }
});

/** Characters that a name cannot be sent with, where the way carries Latin letters alone. */
const folded = z.object({ text: z.string(), lost: z.array(z.string()) });

const verification = z.object({
  answer: z.enum(verificationAnswers),
  /** The name that the payee's bank has, of a close match. */
  bankName: z.nullable(z.string()),
  at: instant,
});

/** An account of a payee as it was saved; it never changes. */
export const bankPayeeVersion = z.object({
  id,
  holder: z.enum(holderKinds),
  name: z.string(),
  firstName: z.nullable(z.string()),
  lastName: z.nullable(z.string()),
  /** The name as the payee's bank will read it; null where the way carries any letters. */
  folded: z.nullable(folded),
  country: z.string(),
  currency: z.enum(currencyCodes),
  way: z.string(),
  /** The account as people read it: an IBAN in groups, a number, or the phone number, email address or id that a payee is found by. */
  account: z.string(),
  /** By the payee's details, or by the bank's code where it is known; null: it is not known. */
  bankName: z.nullable(z.string()),
  /** In the order of the form, those that are filled. `label` names it there: `payees.bank.label.<label>`. */
  fields: z.array(z.object({ name: z.enum(bankFieldNames), label: z.string(), value: z.string() })),
  /** Null: the payee's bank has not been asked yet. */
  verification: z.nullable(verification),
  createdAt: instant,
  createdBy: z.string(),
});
export type BankPayeeVersion = z.output<typeof bankPayeeVersion>;

export const bankPayee = z.object({
  id,
  /** The payment customer number: by which instructions to banks name the payee. */
  number: z.string(),
  label: z.string(),
  remark: z.string(),
  status: z.enum(payeeStatuses),
  /** While it waits for approval, for whom; once it was not approved, why: in the reader's language. Null otherwise. */
  approval: z.nullable(z.object({ taskId: id, waitingFor: z.nullable(z.string()), reason: z.nullable(z.string()) })),
  account: bankPayeeVersion,
  /** Until when the account counts as changed (a company setting); null: it does not. */
  changedUntil: z.nullable(instant),
  /** What the address lacks: payments to it have been refused since 14 November 2026. */
  addressLacks: z.array(z.enum(['town', 'addressCountry'])),
  createdAt: instant,
  createdBy: z.string(),
});
export type BankPayee = z.output<typeof bankPayee>;

/** A payee whose name could be taken for this one, with another account. */
const alike = z.object({ payeeId: id, label: z.string(), name: z.string(), account: z.string() });

export const listBankPayees = call({
  name: 'listBankPayees',
  method: 'GET',
  path: '/web/crypto/payee/fiat',
  summary: 'Payees with a bank account, newest first.',
  access: 'payee.view',
  query: z.strictObject({
    ...pageQuery,
    country: z.optional(country),
    currency: z.optional(currency),
    holder: z.optional(z.enum(holderKinds)),
    status: z.optional(z.enum(['usable', 'unusable', 'waiting', 'rejected'])),
    mark: z.optional(z.enum(accountMarks)),
    keyword: z.optional(text(140)),
  }),
  output: page(bankPayee),
  errors: ['cursorInvalid'],
});

export const getBankPayee = call({
  name: 'getBankPayee',
  method: 'GET',
  path: '/web/crypto/payee/fiat/{id}',
  summary:
    'One payee with a bank account: with the accounts that it had before, the newest first, and payees whose name looks like it.',
  access: 'payee.view',
  params: z.object({ id }),
  output: z.extend(bankPayee, { earlier: z.array(bankPayeeVersion), alike: z.array(alike) }),
  errors: ['payeeNotFound'],
});

const refusals = [
  'accountBlacklisted',
  'bankAccountOwn',
  'payeeNameLatin',
  'payeeAccountExists',
  'payeeNobodyApproves',
] as const;

export const addBankPayee = call({
  name: 'addBankPayee',
  method: 'POST',
  path: '/web/crypto/payee/fiat',
  summary:
    'Saves a payee with a bank account, which waits for approval where new payees need it; the client may choose its id.',
  access: 'payee.manage',
  body: z.strictObject({ id: z.optional(id), label, ...accountFields, remark: z.optional(remark) }).check(accountRule),
  output: bankPayee,
  errors: [...refusals, 'idTaken'],
});

export const editBankPayee = call({
  name: 'editBankPayee',
  method: 'PUT',
  path: '/web/crypto/payee/fiat',
  summary:
    'Changes the account of a payee: the old one is kept, administrators are notified, and the payee counts as changed for some days. What was submitted keeps the old one.',
  access: 'payee.manage',
  /** `versionId`: of the account that was changed. */
  body: z.strictObject({ id, versionId: id, ...accountFields }).check(accountRule),
  output: bankPayee,
  errors: [...refusals, 'payeeNotFound', 'payeeNotEditable', 'payeeChanged'],
});

export const labelBankPayee = call({
  name: 'labelBankPayee',
  method: 'PUT',
  path: '/web/crypto/payee/fiat/label',
  summary: 'Changes label and remark of a payee with a bank account.',
  access: 'payee.manage',
  body: z.strictObject({ id, label, remark }),
  output: bankPayee,
  errors: ['payeeNotFound', 'payeeNotEditable'],
});

export const deleteBankPayee = call({
  name: 'deleteBankPayee',
  method: 'DELETE',
  path: '/web/crypto/payee/fiat/{id}',
  summary: 'Takes a payee with a bank account out of the book; old transactions still name it.',
  access: 'payee.manage',
  params: z.object({ id }),
  output: nothing,
  errors: ['payeeNotFound'],
});

export const checkBankPayee = call({
  name: 'checkBankPayee',
  method: 'POST',
  path: '/web/crypto/payee/fiat/check',
  summary:
    'What saving an account would say, before it is saved: its bank, the name as it will be sent, payees like it.',
  access: 'payee.manage',
  /** `id`: of the payee whose account is to be changed. */
  body: z.strictObject({ id: z.optional(id), ...accountFields }).check(accountRule),
  output: z.object({
    bankName: z.nullable(z.string()),
    folded: z.nullable(folded),
    /** The label of the payee that has this account already. */
    knownAs: z.nullable(z.string()),
    alike: z.array(alike),
  }),
  errors: ['accountBlacklisted', 'bankAccountOwn', 'payeeNameLatin', 'payeeNotFound'],
});

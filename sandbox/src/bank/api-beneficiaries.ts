import { randomUUID } from 'node:crypto';
import { ApiError, isObject, type Json, objectAt, text, timeOf } from './api-json.ts';
import type { Turn } from './ledger.ts';
import type { Party } from './model.ts';
import { matchName, payeeProblem } from './payees.ts';
import type { Reader } from './store.ts';

/** Airwallex's beneficiaries: kept as they were sent, checked as far as a bank can. */

/** Routing types of the vendor's, as clearing systems of ISO 20022; `bank_code` is of the account's country. */
const SYSTEMS: Readonly<Record<string, string>> = {
  aba: 'USABA',
  'bank_code HK': 'HKNCC',
  'bank_code IN': 'INFSC',
  'bank_code JP': 'JPZGN',
  bsb: 'AUBSB',
  cnaps: 'CNAPS',
  sort_code: 'GBDSC',
};

/** @throws ApiError */
export function validatedBeneficiary(beneficiary: Json): Json {
  const type = text(beneficiary, 'entity_type', 10);
  if (!['COMPANY', 'PERSONAL'].includes(type))
    throw new ApiError(400, 'invalid_argument', 'entity_type must be COMPANY or PERSONAL.', 'beneficiary.entity_type');
  const details = objectAt(beneficiary, 'bank_details');
  text(details, 'account_name', 200);
  text(details, 'account_currency', 3);
  text(details, 'bank_country_code', 2);
  if (details['account_number'] === undefined && details['iban'] === undefined)
    throw new ApiError(
      400,
      'field_required',
      'account_number or iban must be provided.',
      'beneficiary.bank_details.account_number',
    );
  return beneficiary;
}

/** Whom the bank pays. @throws ApiError */
export function partyOf(beneficiary: Json): Party {
  const details = objectAt(beneficiary, 'bank_details');
  const address = isObject(beneficiary['address']) ? beneficiary['address'] : {};
  const optional = (from: Json, name: string): string | undefined => text(from, name, 200, '') || undefined;
  const routing = optional(details, 'account_routing_type1');
  const system = SYSTEMS[routing ?? ''] ?? SYSTEMS[`${routing} ${text(details, 'bank_country_code', 2)}`];
  const branch =
    optional(details, 'account_routing_type2') === 'branch_code' ? optional(details, 'account_routing_value2') : '';
  const swift = optional(details, 'swift_code');
  return {
    name: text(details, 'account_name', 200),
    account: optional(details, 'iban') ?? optional(details, 'account_number'),
    bic: swift,
    // A country without a clearing system of ISO's list is reached by its own codes: the vendor checks them, this bank does not.
    clearing:
      system === undefined
        ? undefined
        : { system, member: `${optional(details, 'account_routing_value1') ?? ''}${branch}` },
    ...(system === undefined && swift === undefined
      ? { proxy: { type: routing ?? 'LOCAL', id: optional(details, 'account_routing_value1') ?? '' } }
      : {}),
    town: optional(address, 'city'),
    country: optional(address, 'country_code') ?? optional(details, 'bank_country_code'),
  };
}

/** @throws ApiError */
export function validateBeneficiary(records: Reader, body: Json): Json {
  const beneficiary = validatedBeneficiary(objectAt(body, 'beneficiary'));
  const currency = text(objectAt(beneficiary, 'bank_details'), 'account_currency', 3);
  const problem = payeeProblem(records, partyOf(beneficiary), currency, 'meridian');
  // A closed account has the right form: only a payment finds out.
  if (problem !== undefined && problem.code !== 'AC04')
    throw new ApiError(
      400,
      'validation_failed',
      problem.text,
      problem.code === 'RC01'
        ? 'beneficiary.bank_details.account_routing_value1'
        : 'beneficiary.bank_details.account_number',
    );
  return {};
}

/** @throws ApiError */
export function createBeneficiary(turn: Turn, body: Json): string {
  validateBeneficiary(turn, body);
  const id = randomUUID();
  turn.put('beneficiaries', id, { id, request: body, createdAt: turn.now });
  return id;
}

/** @throws ApiError */
export function shownBeneficiary(records: Reader, id: string): Json {
  const known = records.get('beneficiaries', id);
  if (known === undefined) throw new ApiError(404, 'not_found', 'There is no such beneficiary.');
  const { request } = known;
  return {
    id,
    beneficiary: request['beneficiary'],
    nickname: text(request, 'nickname', 200, ''),
    payer_entity_type: 'COMPANY',
    transfer_methods: Array.isArray(request['transfer_methods']) ? request['transfer_methods'] : ['LOCAL'],
    created_at: timeOf(known.createdAt),
  };
}

/** Verification of payee, where the account's bank answers. @throws ApiError */
export function verifyAccount(records: Reader, body: Json): Json {
  const given = isObject(body['account_details']) ? body['account_details'] : objectAt(body, 'beneficiary');
  const details = isObject(given['bank_details']) ? given['bank_details'] : given;
  const account = text(details, 'iban', 64, '') || text(details, 'account_number', 64);
  const name = text(details, 'account_name', 200);
  const party: Party = { name, account, proxy: { type: 'LOCAL', id: '' } };
  if (payeeProblem(records, party, 'HKD', 'meridian')?.code === 'AC01')
    return { code: 'INVALID', message: 'The account cannot exist.', details: {} };
  const match = matchName(records, account, name);
  if (match === undefined)
    return { code: 'CANNOT_VERIFY', message: "The account's bank gives no answer.", details: {} };
  return {
    code: 'VERIFIED',
    message: 'The account exists.',
    details: {
      account_name_match_result: match.result,
      ...(match.name === undefined ? {} : { account_name: match.name }),
    },
  };
}

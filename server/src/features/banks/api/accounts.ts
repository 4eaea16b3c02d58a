import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { BankAccountDetails } from '../store.ts';
import { type BankApi, BankApiError } from './client.ts';

/** Accounts that the bank gives to a company when it is asked ("global accounts"). */

const text = z.string().nullish();
const shape = z.object({
  id: z.string().min(1),
  request_id: text,
  status: z.string(),
  account_name: z.string().min(1),
  account_number: text,
  iban: text,
  swift_code: text,
  institution: z.object({ name: text, address: text, city: text, zip_code: text }).nullish(),
  supported_features: z
    .array(
      z.object({
        transfer_method: text,
        currency: text,
        routing_codes: z.array(z.object({ type: z.string(), value: z.string() })).nullish(),
      }),
    )
    .nullish(),
});
type GlobalAccount = z.output<typeof shape>;
const page = z.object({ items: z.array(shape), has_more: z.boolean().nullish() });

export interface AccountRequest {
  companyId: string;
  bank: string;
  currency: string;
  /** ISO 3166-1: where the account is to be. */
  country: string;
}

/**
 * Opens the company's account in a currency, or finds the one that was opened: the request id follows from company, bank and currency, so
 * that no company gets two. Null while the bank is still opening it.
 * @throws BankApiError
 */
export async function openGlobalAccount(api: BankApi, request: AccountRequest): Promise<BankAccountDetails | null> {
  const requestId = requestIdOf(request);
  const account = (await findAccount(api, requestId)) ?? (await createAccount(api, request, requestId));
  if (account.status === 'FAILED' || account.status === 'CLOSED') {
    throw new BankApiError('refused', `the account ${account.id} is ${account.status}`);
  }
  const number = compact(account.account_number ?? account.iban ?? '');
  return account.status === 'ACTIVE' && number !== '' ? detailsOf(account, number, request.currency) : null;
}

/** The number of an account, as payers write it; null: there is none yet, or no such account. @throws BankApiError */
export async function globalAccountNumber(api: BankApi, id: string): Promise<string | null> {
  try {
    const account = await api.get(`/api/v1/global_accounts/${encodeURIComponent(id)}`, shape);
    return compact(account.account_number ?? account.iban ?? '') || null;
  } catch (error) {
    if (error instanceof BankApiError && error.status === 404 && error.outcome === 'refused') return null;
    throw error;
  }
}

/** A UUID of the hash: the bank keeps request ids to 50 characters. */
function requestIdOf({ companyId, bank, currency }: AccountRequest): string {
  const hex = createHash('sha256').update(`account/${bank}/${companyId}/${currency}`).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}

async function findAccount(api: BankApi, requestId: string): Promise<GlobalAccount | null> {
  for (let number = 0; ; number += 1) {
    const query = { nick_name: requestId, page_num: String(number), page_size: '100' };
    const { items, has_more: hasMore } = await api.get('/api/v1/global_accounts', page, query);
    const found = items.find(({ request_id: id }) => id === requestId);
    if (found) return found;
    if (!hasMore || items.length === 0) return null;
  }
}

function createAccount(api: BankApi, { currency, country }: AccountRequest, requestId: string): Promise<GlobalAccount> {
  return api.post('/api/v1/global_accounts/create', shape, {
    request_id: requestId,
    // By which it is found again, however long the bank keeps request ids.
    nick_name: requestId,
    country_code: country,
    required_features: [{ currency, transfer_method: 'LOCAL' }],
  });
}

function detailsOf(account: GlobalAccount, accountNumber: string, currency: string): BankAccountDetails {
  const { institution } = account;
  const features = (account.supported_features ?? []).filter((each) => (each.currency ?? currency) === currency);
  const local = features.find(({ transfer_method: method }) => method === 'LOCAL')?.routing_codes ?? [];
  const codes = new Map(local.map(({ type, value }) => [type, compact(value)]));
  const iban = compact(account.iban ?? '');
  const place = [institution?.address, institution?.city, institution?.zip_code].filter(Boolean).join(', ');
  return {
    holderName: account.account_name,
    accountNumber,
    branchCode: codes.get('branch_code') ?? null,
    iban: iban === '' ? null : iban,
    given: {
      id: account.id,
      bankName: institution?.name ?? null,
      bankAddress: place === '' ? null : place,
      bic: compact(account.swift_code ?? '') || null,
      clearingCode: clearingTypes.flatMap((type) => codes.get(type) ?? [])[0] ?? null,
    },
  };
}

/** What the API calls a bank's number in a national clearing. */
const clearingTypes = ['bank_code', 'sort_code', 'aba', 'bsb', 'ach', 'institution_number', 'cnaps', 'wire'];

function compact(number: string): string {
  return number.replaceAll(/[^A-Za-z0-9]/g, '').toUpperCase();
}

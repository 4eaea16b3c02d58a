import * as z from 'zod';
import type { BankApi } from './client.ts';

/** Whether an account exists and is of a name, as the account's bank says over the API. */

const shape = z.object({
  code: z.string(),
  details: z.object({ account_name_match_result: z.string().nullish(), account_name: z.string().nullish() }).nullish(),
});
export type VerifiedAccount = z.output<typeof shape>;

/** Asks about an account by a country's own clearing; the API verifies no others. @throws BankApiError */
export function verifyAccount(api: BankApi, beneficiary: Readonly<Record<string, unknown>>): Promise<VerifiedAccount> {
  const { bank_details: details, entity_type: type } = beneficiary;
  return api.post('/api/v1/beneficiaries/verify_account', shape, {
    account_details: { bank_details: details },
    entity_type: type,
    transfer_method: 'LOCAL',
  });
}

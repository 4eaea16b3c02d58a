import { join } from 'node:path';
import { type Bank, startBank } from '@causeway/sandbox/bank/bank.ts';
import { CLIENT_ID } from '@causeway/sandbox/bank/connections.ts';
import { payIn } from '@causeway/sandbox/bank/pay-ins.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import { type BankApi, createBankApi } from './client.ts';
import { cancelTransfer, createTransfer, findTransferByRequestId, type NewTransfer, transfer } from './transfers.ts';

/** Transfers over the sandbox's HTTP API; the bank's own books are the judge. */

let bank: Bank;
let api: BankApi;
beforeAll(async () => {
  bank = await startBank({ everyMs: 50 });
  api = createBankApi({
    bank: 'meridian',
    kind: 'http',
    url: bank.api.url,
    clientId: CLIENT_ID,
    apiKeyFile: join(bank.dir, 'keys/api-key'),
    accountCountries: {},
    pollIntervalMs: 1000,
    timeoutMs: 1000,
  });
  await bank.change((turn) => {
    for (const [currency, to] of [
      ['SGD', '70200000001'],
      ['JPY', '39200000001'],
    ] as const) {
      payIn(turn, { bank: 'meridian', to, currency, amount: '1000000', payer: { name: 'Treasury' }, text: 'funds' });
    }
  });
});
beforeEach(() => bank.api.setMode('ok'));
afterAll(() => bank.stop());

const beneficiary = {
  entity_type: 'COMPANY',
  company_name: 'Harbour Rigging Pte Ltd',
  address: { country_code: 'SG', city: 'Singapore', street_address: '1 Quay' },
  bank_details: {
    account_name: 'Harbour Rigging Pte Ltd',
    account_number: '1234567890',
    account_currency: 'SGD',
    bank_country_code: 'SG',
    swift_code: 'MRDPSGSG',
  },
};
const order = (more: Partial<NewTransfer> = {}): NewTransfer => ({
  requestId: newId(),
  currency: 'SGD',
  amount: '100.50',
  beneficiary,
  reference: 'Invoice 9',
  reason: 'payment_to_supplier',
  method: 'LOCAL',
  ...more,
});
const atBank = (requestId: string) => bank.records.all('payments').filter(({ endToEndId }) => endToEndId === requestId);

test('is ordered once for each request id, whatever is repeated', async () => {
  const wish = order();
  const made = await createTransfer(api, wish);
  expect(made).toMatchObject({ requestId: wish.requestId, currency: 'SGD', amount: '100.5' });
  expect((await createTransfer(api, wish)).id).toBe(made.id);
  expect(await findTransferByRequestId(api, wish.requestId)).toMatchObject({ id: made.id });
  expect((await transfer(api, made.id))?.id).toBe(made.id);
  await expect(createTransfer(api, { ...wish, amount: '100.51' })).rejects.toMatchObject({
    outcome: 'refused',
    code: 'duplicate_request',
  });
  expect(atBank(wish.requestId)).toMatchObject([{ amount: '10050' }]);
});

test('in yen is of whole yen', async () => {
  const details = { ...beneficiary.bank_details, account_currency: 'JPY' };
  const wish = order({ currency: 'JPY', amount: '12345', beneficiary: { ...beneficiary, bank_details: details } });
  expect(await createTransfer(api, wish)).toMatchObject({ currency: 'JPY', amount: '12345' });
  await expect(createTransfer(api, order({ currency: 'JPY', amount: '1.5' }))).rejects.toMatchObject({
    outcome: 'refused',
  });
});

test.each(['mute', 'half'] as const)(
  'whose answer is lost (%s) is unknown, and found by its request id',
  async (mode) => {
    const wish = order();
    await findTransferByRequestId(api, wish.requestId);
    await bank.api.setMode(mode);
    await expect(createTransfer(api, wish)).rejects.toMatchObject({ outcome: 'unknown' });
    await bank.api.setMode('ok');
    const found = await findTransferByRequestId(api, wish.requestId);
    expect(found).toMatchObject({ requestId: wish.requestId, amount: '100.5' });
    expect((await createTransfer(api, wish)).id).toBe(found?.id);
    expect(atBank(wish.requestId)).toHaveLength(1);
  },
);

test('that the bank does not have is null, and one that is on its way can be cancelled as long as the bank lets it', async () => {
  expect(await transfer(api, newId())).toBeNull();
  expect(await findTransferByRequestId(api, newId())).toBeNull();
  const later = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10);
  const made = await createTransfer(api, order({ date: later }));
  expect(made.status).toBe('SCHEDULED');
  await cancelTransfer(api, made.id);
  expect(await transfer(api, made.id)).toMatchObject({ status: 'CANCELLED' });
  await expect(cancelTransfer(api, made.id)).rejects.toMatchObject({ outcome: 'refused' });
});

import { join } from 'node:path';
import { type Bank, startBank } from '@causeway/sandbox/bank/bank.ts';
import { CLIENT_ID } from '@causeway/sandbox/bank/connections.ts';
import { payIn } from '@causeway/sandbox/bank/pay-ins.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import { type BankApi, createBankApi } from './client.ts';
import {
  createTransfer as createFrom,
  findTransfer,
  type ListedTransfer,
  type NewTransfer,
  transferById,
  transfersSince,
  transferText,
} from './transfers.ts';

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
    timeoutMs: 2000,
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
const instruction = {
  beneficiary,
  reference: 'Invoice 9',
  reason: 'goods_purchased',
  method: 'LOCAL' as const,
};
const order = (more: Partial<NewTransfer> = {}): NewTransfer => ({
  requestId: newId(),
  currency: 'SGD',
  amount: '100.50',
  instruction,
  ...more,
});
const createTransfer = (wish: NewTransfer): Promise<ListedTransfer> => createFrom(api, transferText(wish));
const atBank = (requestId: string) => bank.records.all('payments').filter(({ endToEndId }) => endToEndId === requestId);

test('is ordered once for each request id, whatever is repeated', async () => {
  const wish = order();
  const made = await createTransfer(wish);
  expect(made).toMatchObject({ request_id: wish.requestId, transfer_currency: 'SGD', transfer_amount: '100.5' });
  expect((await createTransfer(wish)).id).toBe(made.id);
  expect(await findTransfer(api, wish.requestId)).toMatchObject({ id: made.id });
  expect((await transferById(api, made.id))?.id).toBe(made.id);
  await expect(createTransfer({ ...wish, amount: '100.51' })).rejects.toMatchObject({
    // The bank has one of this id: nothing is known of this order but that it is another.
    outcome: 'unknown',
    code: 'duplicate_request',
  });
  expect(atBank(wish.requestId)).toMatchObject([{ amount: '10050' }]);
});

test('in yen is of whole yen', async () => {
  const details = { ...beneficiary.bank_details, account_currency: 'JPY' };
  const inYen = { ...instruction, beneficiary: { ...beneficiary, bank_details: details } };
  const wish = order({ currency: 'JPY', amount: '12345', instruction: inYen });
  expect(await createTransfer(wish)).toMatchObject({ transfer_currency: 'JPY', transfer_amount: '12345' });
  await expect(createTransfer(order({ currency: 'JPY', amount: '1.5' }))).rejects.toMatchObject({
    outcome: 'refused',
  });
});

test.each(['mute', 'half'] as const)(
  'whose answer is lost (%s) is unknown, and found by its request id',
  async (mode) => {
    const wish = order();
    await findTransfer(api, wish.requestId);
    await bank.api.setMode(mode);
    await expect(createTransfer(wish)).rejects.toMatchObject({ outcome: 'unknown' });
    await bank.api.setMode('ok');
    const found = await findTransfer(api, wish.requestId);
    expect(found).toMatchObject({ request_id: wish.requestId, transfer_amount: '100.5' });
    expect((await createTransfer(wish)).id).toBe(found?.id);
    expect(atBank(wish.requestId)).toHaveLength(1);
  },
);

test('that the bank does not have is null; all of them are listed, page by page', async () => {
  expect(await transferById(api, newId())).toBeNull();
  expect(await findTransfer(api, newId())).toBeNull();
  const made = await createTransfer(order());
  expect(await transferById(api, made.id)).toMatchObject({ id: made.id });
  const all = await transfersSince(api, null);
  expect(all.length).toBe(bank.records.all('transfers').length);
  expect(await transfersSince(api, new Date(Date.now() + 86_400_000))).toEqual([]);
});

test('an amount is a number of exactly its digits', () => {
  const text = transferText(order({ amount: '9007199254740993.10' }));
  expect(text).toContain('"transfer_amount":9007199254740993.10}');
  expect(() => transferText(order({ amount: '1,000.00' }))).toThrow('no JSON number');
});

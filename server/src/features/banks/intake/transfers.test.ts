import { expect, test } from 'vitest';
import { transferFinder } from '../adapters/http-transfers.ts';
import type { BankApi } from '../api/client.ts';
import type { RememberedTransfer, TransferMemory } from './transfer-store.ts';
import { readStoredTransfer, transferEntries, transferStatus } from './transfers.ts';

/** What a transfer of an HTTP API says of a payment. */

const place = { collectingAccount: '70200000001', timeZone: 'Asia/Singapore', isKnown: false };
const transfer = (changes: Record<string, unknown>) =>
  readStoredTransfer(
    JSON.stringify({
      transfer: {
        id: 't-1',
        request_id: 'OURS',
        status: 'SENT',
        transfer_currency: 'SGD',
        transfer_amount: '100.5',
        amount_beneficiary_receives: '100.5',
        created_at: '2026-11-24T01:00:00+0000',
        ...changes,
      },
    }),
  );
const moneys = (changes: Record<string, unknown>, isKnown = false) =>
  transferEntries(transfer(changes), { ...place, isKnown }).map(({ amount, direction, accountServicerReference }) => [
    direction,
    amount.minor,
    accountServicerReference,
  ]);
const debit = ['debit', 10050n, 't-1'];
const returned = ['credit', 10050n, 't-1/returned'];

test.each([
  ['IN_APPROVAL', [], 'pending'],
  ['PROCESSING', [], 'accepted'],
  ['SENT', [debit], 'settled'],
  ['PAID', [debit], 'settled'],
  ['FAILED', [], 'rejected'],
  ['CANCELLED', [], 'cancelled'],
  ['SOMETHING_NEW', [], 'other'],
] as const)('%s', (status, expected, state) => {
  expect(moneys({ status })).toEqual(expected);
  expect(transferStatus(transfer({ status }), place)).toMatchObject({ state, status, endToEnd: 'OURS' });
});

test('what failed after it had left is a return: it was booked before, or the bank says that it was dispatched', () => {
  const failed = { status: 'FAILED', failure_type: 'ACCOUNT_CLOSED' };
  const dispatched = { ...failed, dispatch_info: { external_reference: 'TRN1' } };
  expect(moneys(failed, true)).toEqual([debit, returned]);
  expect(moneys(dispatched)).toEqual([debit, returned]);
  expect(transferStatus(transfer(failed), { ...place, isKnown: true })).toMatchObject({ state: 'other' });
  expect(transferStatus(transfer(dispatched), place)).toMatchObject({ state: 'other', reason: 'ACCOUNT_CLOSED' });
});

test('the bank’s fee is a money of its own, unless the payee bears it', () => {
  const fee = { fee_amount: '2.5', fee_currency: 'SGD' };
  expect(moneys(fee)).toEqual([debit, ['debit', 250n, 't-1/fee']]);
  expect(moneys({ ...fee, fee_amount: '0' })).toEqual([debit]);
  expect(moneys({ ...fee, fee_paid_by: 'BENEFICIARY', amount_beneficiary_receives: '98' })).toEqual([debit]);
});

test('what is not as agreed is refused', () => {
  expect(() => transfer({ transfer_amount: '1e3' })).toThrow('bankIn.refused.transferForm');
  expect(() => moneys({ transfer_currency: 'JPY' })).toThrow('bankIn.refused.transferAmount');
});

test('an older state than the stored one, of a list that is behind, is no news', async () => {
  const known = new Map<string, string>([['t-1', 'FAILED']]);
  const memory: TransferMemory = {
    newest: async () => null,
    states: async () => known,
    open: async () => [],
    remember: async ({ id, status }: RememberedTransfer) => void known.set(id, status),
    expect: async () => undefined,
  };
  const told = (status: string) => {
    const answer = { id: 't-1', request_id: 'OURS', status, created_at: '2026-11-24T01:00:00+0000' };
    const api = { get: async () => answer, post: async () => answer } as unknown as BankApi;
    return transferFinder(api, memory).fresh(['t-1'], 'open');
  };
  expect([...(await told('PAID')).keys()]).toEqual([]);
  expect([...(await told('FAILED')).keys()]).toEqual([]);
  expect([...(await told('CANCELLED')).keys()]).toEqual(['transfer t-1 CANCELLED']);
});

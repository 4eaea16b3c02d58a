import type { TransactionDetail } from '@causeway/contract/transactions.ts';
import type { Wallet } from '@causeway/contract/wallets.ts';
import { describe, expect, it } from 'vitest';
import {
  boundTo,
  checkContent,
  checkTransfer,
  emptyTransfer,
  isSameTransfer,
  type Surroundings,
  type TransferValues,
  valuesFrom,
} from './transfer-values.ts';

const wallet: Wallet = {
  id: 'w1',
  asset: 'USDT',
  decimals: 6,
  place: { kind: 'chain', chain: 'ethereum', name: 'Ethereum', address: '0x1' },
  quantity: '100.000000',
  available: '100.000000',
  outbound: '0',
  escrow: '0.000000',
  inbound: '0',
  deficit: '0',
  unitPrice: '1',
  priceUpdatedAt: null,
  base: { currency: 'USD', unitPrice: '1', value: '1.00' },
  value: '100.00',
  share: '100.00',
  frozen: false,
  withdrawalsPaused: false,
  depositsPaused: false,
  frozenBy: null,
  alertBelow: null,
  minimum: '1',
};
const around: Surroundings = { wallet, fee: '0.5', uploading: false };
const filled: TransferValues = {
  ...emptyTransfer('t1', 'normal'),
  coin: 'USDT',
  chain: 'ethereum',
  payeeId: 'p1',
  amount: '10.',
  notes: ' ',
  code: '123456',
};
const fieldsOf = (checked: ReturnType<typeof checkTransfer>) =>
  checked.ok ? [] : checked.problems.map(({ path }) => path[0]);
const wrong = (values: TransferValues, given = around) => fieldsOf(checkTransfer(values, given));

describe('the transfer form', () => {
  it('hands over what the call takes', () => {
    expect(checkTransfer(filled, around)).toEqual({
      ok: true,
      values: {
        content: { id: 't1', walletId: 'w1', payeeId: 'p1', amount: '10', attachmentIds: [] },
        reference: {},
        fee: '0.5',
        network: null,
        codeMethod: 'email',
        code: '123456',
      },
    });
  });

  it('hands over the network fee that was chosen, and says why it is not known', () => {
    const network = {
      level: 'urgent',
      fee: '0.5',
      networkFee: '0.5',
      feeRate: '12.000',
      vsize: 141,
      feeUsd: null,
      amount: '10.000000',
      debited: '10.500000',
      expectedSeconds: 600,
    } as const;
    const checked = checkTransfer(filled, { ...around, network });
    expect(checked.ok && checked.values.network).toEqual(network);
    for (const [feeProblem, message] of [
      ['transfers.fee.problem.tooManyCoins', 'transfers.fee.problem.tooManyCoins'],
      [null, 'transfers.form.feeUnknown'],
    ] as const) {
      expect(checkTransfer(filled, { ...around, fee: null, feeProblem })).toEqual({
        ok: false,
        problems: [{ path: ['amount'], message }],
      });
    }
  });

  it('names every field that is missing', () => {
    expect(wrong(emptyTransfer('t1', 'normal'), { ...around, wallet: undefined })).toEqual([
      'coin',
      'chain',
      'payeeId',
      'amount',
      'code',
    ]);
  });

  it('does not ask for the code before it is sent', () => {
    expect(wrong({ ...filled, code: '' })).toEqual(['code']);
    expect(fieldsOf(checkContent({ ...filled, code: '' }, around))).toEqual([]);
    const payee = { id: filled.payeeId, status: 'usable' } as const;
    expect(wrong(filled, { ...around, payee })).toEqual([]);
    // Its code would be asked for in vain. Of a payee that was chosen before, nothing is known.
    for (const status of ['waiting', 'rejected', 'unusable'] as const) {
      const given = { ...around, payee: { ...payee, status } };
      expect(fieldsOf(checkContent(filled, given))).toEqual(['payeeId']);
      expect(wrong({ ...filled, payeeId: 'another' }, given)).toEqual([]);
    }
  });

  it('hands over what it is filed under, and which test it belongs to, apart from the content', () => {
    const checked = checkTransfer(
      { ...filled, invoiceNumber: ' INV-1 ', category: 'Rent', testTotal: '50.', restOf: 't0' },
      around,
    );
    expect(checked.ok && checked.values.reference).toEqual({
      invoiceNumber: 'INV-1',
      category: 'Rent',
      testTotal: '50',
      restOf: 't0',
    });
    expect(checked.ok && checked.values.content).not.toHaveProperty('category');
  });

  it('takes no test that is as much as the whole', () => {
    expect(wrong({ ...filled, testTotal: '10' })).toEqual(['amount']);
    expect(wrong({ ...filled, testTotal: '10.000001' })).toEqual([]);
  });

  it('refuses a frozen wallet', () => {
    expect(wrong(filled, { ...around, wallet: { ...wallet, frozen: true } })).toEqual(['chain']);
  });

  it('waits for the fee rather than guessing it', () => {
    expect(wrong(filled, { ...around, fee: null })).toEqual(['amount']);
  });

  it('does not leave without an attachment that is still on its way', () => {
    expect(wrong(filled, { ...around, uploading: true })).toEqual(['attachments']);
    expect(wrong({ ...filled, code: '' }, { ...around, uploading: true })).toEqual(['attachments', 'code']);
  });
});

describe('a code by email', () => {
  const content = { id: 't1', walletId: 'w1', payeeId: 'p1', amount: '10', attachmentIds: ['a', 'b'] };

  it('holds for exactly this transfer', () => {
    expect(boundTo({ ...content, amount: '11' })).not.toBe(boundTo(content));
    expect(boundTo({ ...content, payeeId: 'p2' })).not.toBe(boundTo(content));
    expect(boundTo({ ...content, attachmentIds: ['a'] })).not.toBe(boundTo(content));
    expect(boundTo({ ...content, notes: 'rent' })).not.toBe(boundTo(content));
  });

  it('does not mind the order of attachments', () => {
    expect(boundTo({ ...content, attachmentIds: ['b', 'a'] })).toBe(boundTo(content));
  });
});

describe('a transfer that was sent under the form’s id', () => {
  const content = { id: 't1', walletId: 'w1', payeeId: 'p1', amount: '20', attachmentIds: ['b', 'a'] };
  const reference = { invoiceNumber: 'INV-1', category: 'rent' };
  const sent = {
    invoiceNumber: 'INV-1',
    category: 'Rent',
    walletId: 'w1',
    payeeId: 'p1',
    quantity: '20.000000',
    notes: '',
    attachments: [{ id: 'a' }, { id: 'b' }],
  } as TransactionDetail;

  it('is the same with another way of writing the amount, and papers in another order', () => {
    expect(isSameTransfer({ content, reference }, sent)).toBe(true);
  });

  it.each([
    { walletId: 'w2' },
    { payeeId: 'p2' },
    { payeeId: null },
    { quantity: '2.000000' },
    { attachments: [] },
    { notes: 'rent' },
    { invoiceNumber: 'INV-2' },
    { category: null },
  ] as Partial<TransactionDetail>[])('is another with %o', (other) => {
    expect(isSameTransfer({ content, reference }, { ...sent, ...other })).toBe(false);
  });
});

describe('what is taken over from an earlier transfer', () => {
  const test = { total: '100.000000', rest: '98.000000', restId: null };
  const detail = {
    id: 't0',
    type: 'chain_withdraw',
    coin: 'USDT',
    quantity: '2.500000',
    payeeId: 'p1',
    notes: 'rent',
    category: 'Rent',
    invoiceNumber: 'INV-1',
    test,
  } as TransactionDetail;
  const to = { chain: 'ethereum', isRest: false, usable: true };

  it('a repetition has wallet, payee, amount, notes and category, and neither id nor invoice number', () => {
    expect(valuesFrom(detail, to)).toEqual({
      coin: 'USDT',
      chain: 'ethereum',
      payeeId: 'p1',
      amount: '2.5',
      notes: 'rent',
      category: 'Rent',
    });
  });

  it('a payee that cannot be paid any more is not taken over', () => {
    expect(valuesFrom(detail, { ...to, usable: false })).toMatchObject({ payeeId: '' });
    expect(valuesFrom(detail, { ...to, isRest: true, usable: false })).toMatchObject({ payeeId: '', restOf: '' });
  });

  it('the rest is what the test left, of the same invoice, tied to the test', () => {
    expect(valuesFrom(detail, { ...to, isRest: true })).toMatchObject({
      amount: '98',
      invoiceNumber: 'INV-1',
      restOf: 't0',
    });
  });

  it('there is no rest of what was no test, or whose rest is on its way; and nothing of a deposit', () => {
    expect(valuesFrom({ ...detail, test: null }, { ...to, isRest: true })).toBeNull();
    expect(valuesFrom({ ...detail, test: { ...test, restId: 't9' } }, { ...to, isRest: true })).toBeNull();
    expect(valuesFrom({ ...detail, type: 'chain_deposit' }, to)).toBeNull();
  });
});

import type { PayoutOutlook } from '@causeway/contract/payments.ts';
import { describe, expect, it } from 'vitest';
import {
  boundTo,
  checkContent,
  checkPayment,
  emptyPayment,
  type PaymentValues,
  type Surroundings,
  stepOf,
} from './payment-values.ts';

const outlook = {
  asset: 'HKD',
  decimals: 2,
  available: '5000.00',
  fee: '15.00',
  minimum: '1.00',
  charges: ['shared', 'payer', 'payee'],
  isPurposeNeeded: false,
  remittance: { most: 18, printed: null, isReference: false },
  review: null,
} as unknown as PayoutOutlook;

const wallet = { available: '5000.00', minimum: '1.00', decimals: 2, frozen: false, withdrawalsPaused: false };
const around: Surroundings = { form: 'payment', outlook, wallet, uploading: false, coins: null };
const filled: PaymentValues = {
  ...emptyPayment('01'),
  payeeId: 'p1',
  versionId: 'v1',
  walletId: 'w1',
  amount: '100',
};

const faults = (values: PaymentValues, more: Partial<Surroundings> = {}, step: 'payee' | 'pay' | 'check' = 'pay') => {
  const checked = checkContent(values, { ...around, ...more }, step);
  return checked.ok ? [] : checked.problems.map(({ path, message }) => `${String(path[0])}: ${message}`);
};

describe('the form of a payment', () => {
  it('asks in each step for what the step has', () => {
    expect(faults(emptyPayment('01'), {}, 'payee')).toEqual(['payeeId: field.required']);
    expect(faults({ ...emptyPayment('01'), payeeId: 'p1' }, {}, 'payee')).toEqual([]);
    expect(faults({ ...emptyPayment('01'), payeeId: 'p1' })).toEqual([
      'walletId: field.required',
      'amount: field.required',
    ]);
    expect(checkPayment(filled, around, 'check').ok).toBe(false);
    expect(checkPayment({ ...filled, code: '123456' }, around, 'check').ok).toBe(true);
  });

  it('keeps amount and fee within what is available, to the last unit', () => {
    expect(faults({ ...filled, amount: '4985.00' })).toEqual([]);
    expect(faults({ ...filled, amount: '4985.01' })).toEqual(['amount: payments.form.aboveBalance']);
    expect(faults({ ...filled, amount: '1' })).toEqual(['amount: payments.form.belowMinimum']);
  });

  it('checks by the wallet until the fee is known, and goes no further than the last step', () => {
    const unknown = { outlook: undefined };
    expect(faults({ ...filled, amount: '4985.01' }, unknown)).toEqual([]);
    expect(faults({ ...filled, amount: '5000.01' }, unknown)).toEqual(['amount: payments.form.aboveBalance']);
    expect(faults(filled, unknown, 'check')).toEqual(['amount: payments.form.feeUnknown']);
  });

  it('needs a purpose where the country asks for it', () => {
    const asked = { outlook: { ...outlook, isPurposeNeeded: true } };
    expect(faults(filled, asked)).toEqual(['purpose: payments.form.purposeNeeded']);
    expect(faults({ ...filled, purpose: 'SUPP' }, asked)).toEqual([]);
  });

  it('counts the text as it will be printed', () => {
    const printed = (text: string, lost: string[] = []) => ({
      outlook: { ...outlook, remittance: { most: 18, printed: { text, lost }, isReference: false } },
    });
    expect(faults({ ...filled, remittance: 'Über Öl und Bäume' }, printed('UEBER OEL UND BAEUME'))).toEqual([
      'remittance: payments.form.remittanceOver',
    ]);
    expect(faults({ ...filled, remittance: '租金' }, printed('', ['租', '金']))).toEqual([
      'remittance: payments.form.lostProblem',
    ]);
    expect(faults({ ...filled, remittance: 'Rent' }, printed('Rent'))).toEqual([]);
  });

  it('stops for a wallet that is frozen and for a file on its way', () => {
    expect(faults(filled, { wallet: { ...wallet, frozen: true } })).toEqual(['walletId: payments.form.walletFrozen']);
    expect(faults(filled, { uploading: true })).toEqual(['attachments: transfers.form.uploading']);
  });

  it('binds a code to everything that is paid, not to what it is filed under', () => {
    const of = (values: Partial<PaymentValues>) => {
      const checked = checkContent({ ...filled, ...values }, around);
      if (!checked.ok) throw new Error('the form is filled');
      return boundTo(checked.values);
    };
    expect(of({ invoiceNumber: '7', category: 'Rent' })).toBe(of({}));
    for (const change of [
      { amount: '101' },
      { versionId: 'v2' },
      { charges: 'payer' },
      { purpose: 'SUPP' },
      { remittance: 'x' },
      { notes: 'x' },
    ] as const) {
      expect(of(change)).not.toBe(of({}));
    }
    const files = [
      { id: 'a', name: 'a', sizeBytes: 1 },
      { id: 'b', name: 'b', sizeBytes: 1 },
    ];
    expect(of({ attachments: files })).toBe(of({ attachments: files.toReversed() }));
  });

  it('knows the step of a field', () => {
    expect(['payeeId', 'amount', 'remittance', 'code'].map(stepOf)).toEqual(['payee', 'pay', 'pay', 'check']);
  });

  it('of a payment out of coins waits for a quote, and binds its code to both wallets and the most that leaves', () => {
    const coins = { cannotPay: null, bankWalletId: 'b1' };
    expect(faults(filled, { coins }, 'check')).toEqual(['amount: exchanges.form.noQuote']);
    const checked = checkContent({ ...filled, bound: '13' }, { ...around, coins });
    if (!checked.ok) throw new Error('the form is filled');
    expect(checked.values.coins).toMatchObject({ walletId: 'w1', bankWalletId: 'b1', amount: '100', bound: '13' });
    expect(checked.values.coins).not.toHaveProperty('form');
    const other = checkContent({ ...filled, bound: '14' }, { ...around, coins });
    if (!other.ok) throw new Error('the form is filled');
    expect(boundTo(other.values)).not.toBe(boundTo(checked.values));
    expect(faults(filled, { coins: { ...coins, cannotPay: 'limit' } })).toEqual([
      'walletId: exchanges.cannotSell.limit',
    ]);
    expect(faults(filled, { coins: { ...coins, bankWalletId: null } })).toEqual(['walletId: payments.coins.noBank']);
  });
});

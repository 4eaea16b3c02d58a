import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DomainError } from '../../platform/domain-error.ts';
import { evmFamily } from '../chains/index.ts';
import { amountOf } from '../ledger/index.ts';
import { checkSubmission, type SubmissionFacts, type TransferSubject, transferDigest } from './domain.ts';

const subject: TransferSubject = {
  companyId: 'c',
  transferId: 't',
  walletId: 'w',
  payeeId: 'p',
  payeeAddress: '0xA',
  chainId: 'ethereum',
  coin: 'USDT',
  amountMinor: 5n,
  notes: 'rent',
  attachmentIds: ['f1', 'f2'],
};

describe('the digest of a transfer', () => {
  test('changes with every part of the content', () => {
    const changed: TransferSubject[] = [
      { ...subject, companyId: 'd' },
      { ...subject, transferId: 'u' },
      { ...subject, walletId: 'x' },
      { ...subject, payeeId: 'q' },
      { ...subject, payeeAddress: '0xB' },
      { ...subject, chainId: 'other' },
      { ...subject, coin: 'USDC' },
      { ...subject, amountMinor: 6n },
      { ...subject, notes: 'Rent' },
      { ...subject, notes: '' },
      { ...subject, attachmentIds: ['f1'] },
      { ...subject, attachmentIds: ['f1', 'f3'] },
    ];
    const digests = [subject, ...changed].map(transferDigest);
    expect(new Set(digests).size).toBe(digests.length);
    expect(digests[0]).toMatch(/^[0-9a-f]{64}$/);
  });

  test('does not depend on the order in which attachments are named', () => {
    expect(transferDigest({ ...subject, attachmentIds: ['f2', 'f1'] })).toBe(transferDigest(subject));
  });

  test('cannot be shifted from one field into the next', () => {
    expect(transferDigest({ ...subject, walletId: 'w","p', payeeId: '' })).not.toBe(
      transferDigest({ ...subject, walletId: 'w', payeeId: 'p' }),
    );
  });
});

const facts: SubmissionFacts = {
  coin: 'USDT',
  decimals: 6,
  minimumMinor: 1_000_000n,
  transferLimitMinor: null,
  dailyLimitMinor: null,
  withdrawalsPaused: false,
  feeMinor: 500_000n,
  availableMinor: 10_000_000n,
  walletFrozen: false,
  companyFrozen: false,
  walletUsable: true,
  walletChainId: 'ethereum',
  ownAddress: '0xAAAA',
  payee: { chainId: 'ethereum', coin: 'USDT', address: '0xBBBB', status: 'usable' },
  payeeIsOwn: false,
  payeeIsToken: false,
  attachmentsFound: 0,
};
const request = { amountMinor: 2_000_000n, feeMinor: 500_000n, attachments: 0 };

/** The values that fill the blanks of the refusal's sentence. */
function detailsOf(changes: Partial<SubmissionFacts>, asked: Partial<typeof request> = {}): unknown {
  try {
    checkSubmission({ ...facts, ...changes }, evmFamily, { ...request, ...asked });
    return null;
  } catch (error) {
    if (error instanceof DomainError) return error.details;
    throw error;
  }
}

function refusalOf(changes: Partial<SubmissionFacts>, asked: Partial<typeof request> = {}): string | null {
  try {
    checkSubmission({ ...facts, ...changes }, evmFamily, { ...request, ...asked });
    return null;
  } catch (error) {
    if (error instanceof DomainError) return error.key;
    throw error;
  }
}

describe('the rules of a submission', () => {
  test('let an ordinary transfer pass', () => {
    expect(refusalOf({})).toBeNull();
  });

  test('want strictly more than the minimum', () => {
    expect(refusalOf({}, { amountMinor: 1_000_000n })).toBe('amountBelowMinimum');
    expect(refusalOf({}, { amountMinor: 1_000_001n })).toBeNull();
  });

  test('let the operator’s limit be reached, and not passed', () => {
    expect(refusalOf({ transferLimitMinor: 2_000_000n })).toBeNull();
    expect(detailsOf({ transferLimitMinor: 1_999_999n })).toEqual({ limit: '1.999999', coin: 'USDT' });
  });

  test('let exactly balance minus fee go out, and not one unit more', () => {
    expect(refusalOf({}, { amountMinor: 9_500_000n })).toBeNull();
    expect(refusalOf({}, { amountMinor: 9_500_001n })).toBe('amountAboveBalanceMinusFee');
  });

  test.each([
    ['payeeNotFound', { payee: null }],
    ['payeeNotFound', { payee: { ...facts.payee, status: 'deleted' } }],
    ['payeeWaiting', { payee: { ...facts.payee, status: 'waiting' } }],
    ['payeeUnusable', { payee: { ...facts.payee, status: 'unusable' } }],
    ['payeeUnusable', { payee: { ...facts.payee, coin: 'USDC' } }],
    ['payeeUnusable', { payee: { ...facts.payee, chainId: 'other' } }],
    ['addressOwn', { payeeIsOwn: true }],
    ['addressOwn', { payee: { ...facts.payee, address: '0xaaaa' } }],
    ['addressReserved', { payee: { ...facts.payee, address: '0x000000000000000000000000000000000000dEaD' } }],
    ['addressIsToken', { payeeIsToken: true }],
    ['walletFrozen', { walletFrozen: true }],
    ['companyFrozen', { companyFrozen: true }],
    ['coinNotOnChain', { walletUsable: false }],
    ['notFound', { attachmentsFound: 1 }],
    ['feeChanged', { feeMinor: 400_000n }],
    ['withdrawalsPaused', { withdrawalsPaused: true }],
    ['amountAboveTransferLimit', { transferLimitMinor: 1_999_999n }],
  ] as [string, Partial<SubmissionFacts>][])('refuse with %s, case %#', (key, changes) => {
    expect(refusalOf(changes)).toBe(key);
  });

  test('say the coin that is paused, the minimum, the fee in force, and the most that can go out', () => {
    expect(detailsOf({ withdrawalsPaused: true })).toEqual({ coin: 'USDT' });
    expect(detailsOf({}, { amountMinor: 1n })).toEqual({ minimum: '1.00', coin: 'USDT' });
    expect(detailsOf({ feeMinor: 400_000n })).toEqual({ fee: '0.40', coin: 'USDT' });
    expect(detailsOf({}, { amountMinor: 9_500_001n })).toEqual({ most: '9.50', coin: 'USDT' });
    expect(detailsOf({ availableMinor: 400_000n })).toEqual({ most: '0.00', coin: 'USDT' });
    expect(detailsOf({ availableMinor: 500_000n })).toEqual({ most: '0.00', coin: 'USDT' });
  });

  test('never let more out than is there, whatever the figures', () => {
    const minor = fc.bigInt(0n, 10n ** 30n);
    fc.assert(
      fc.property(minor, minor, minor, (availableMinor, feeMinor, amountMinor) => {
        const key = refusalOf({ availableMinor, feeMinor, minimumMinor: 0n }, { amountMinor, feeMinor });
        expect(key === null).toBe(amountMinor > 0n && amountMinor + feeMinor <= availableMinor);
      }),
    );
  });
});

describe('amounts of a request', () => {
  test('name the field and the rule', () => {
    expect(() => amountOf('1.0000001', { asset: 'USDT', decimals: 6 })).toThrowError(
      expect.objectContaining({ key: 'amountTooManyDecimals', fields: { amount: 'error.amountTooManyDecimals' } }),
    );
    expect(() => amountOf('1e400', { asset: 'USDT', decimals: 6 })).toThrowError(
      expect.objectContaining({ key: 'amountFormat' }),
    );
  });
});

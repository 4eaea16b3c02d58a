import type { Transaction } from '@causeway/contract/transfers.ts';
import { describe, expect, it } from 'vitest';
import { counterparty, waitingFor } from './transaction-words.ts';

const base = {
  status: 'pending',
  stage: 'confirming',
  confirmations: 3,
  confirmationsNeeded: 12,
  direction: 'out',
  payee: { name: null, account: null },
  payer: { name: 'Own wallet', account: null },
} as Transaction;

const words = (id: string, values?: object) => `${id} ${JSON.stringify(values ?? {})}`;

describe('what a pending transaction waits for', () => {
  it('counts confirmations while the chain buries it', () => {
    expect(waitingFor(base, words)).toBe('home.waiting.confirmations {"done":3,"needed":12}');
  });

  it('says approval, signing or the chain by its stage', () => {
    expect(waitingFor({ ...base, stage: 'waiting_approval' }, words)).toContain('approval');
    expect(waitingFor({ ...base, stage: 'submitted', confirmations: null }, words)).toContain('signing');
    expect(waitingFor({ ...base, stage: 'broadcast', confirmations: null }, words)).toContain('chain');
  });

  it('waits for nothing when it is finished', () => {
    expect(waitingFor({ ...base, status: 'completed' }, words)).toBeNull();
    expect(waitingFor({ ...base, status: 'failed' }, words)).toBeNull();
  });
});

describe('the other side', () => {
  it('is the payee of what goes out and the payer of what comes in', () => {
    expect(counterparty({ ...base, payee: { name: 'Blue Harbour Ltd', account: '0x1' } })).toBe('Blue Harbour Ltd');
    expect(counterparty({ ...base, direction: 'in' })).toBe('Own wallet');
  });

  it('falls back on the shortened account, and on nothing', () => {
    const account = '0x52908400098527886E0F7030069857D2E4169EE7';
    expect(counterparty({ ...base, payee: { name: '', account } })).toBe('0x529084…169EE7');
    expect(counterparty(base)).toBeNull();
  });
});

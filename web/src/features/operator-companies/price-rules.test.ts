import { describe, expect, it } from 'vitest';
import { pricesOfCompany } from './price-rules.ts';

const at = (day: number) => `2026-12-0${day}T00:00:00.000Z`;
const planned = (id: string, value: string | null, day: number) => ({ id, value, validFrom: at(day) });

type Items = Parameters<typeof pricesOfCompany>[0];
type Price = Items[number]['prices'][number];

const fee = (more: Partial<Price> = {}): Price => ({
  kind: 'withdrawal_fee',
  chain: { id: 'ethereum', name: 'Ethereum' },
  value: '1',
  from: 'installation',
  since: null,
  planned: [],
  ...more,
});
const of = (price: Price): Items => [{ asset: 'USDT', decimals: 6, isCoin: true, companies: [], prices: [price] }];

function plannedOf(own: Price, all: Price): string[] {
  const [item] = pricesOfCompany(of(own), of(all));
  return item?.prices[0]?.planned.map(({ id, isOwn }) => `${id} ${isOwn ? 'own' : 'all'}`) ?? [];
}

describe('what is planned for a company', () => {
  it('is its own and that of every company, in the order of their instants', () => {
    expect(plannedOf(fee(), fee({ planned: [planned('a', '2', 1)] }))).toEqual(['a all']);
    const own = fee({ planned: [planned('b', '3', 2)] });
    expect(plannedOf(own, fee({ planned: [planned('a', '2', 1)] }))).toEqual(['a all', 'b own']);
  });

  it('is nothing for every company while its own beats that', () => {
    expect(plannedOf(fee({ from: 'company' }), fee({ planned: [planned('a', '2', 1)] }))).toEqual([]);
    expect(plannedOf(fee({ planned: [planned('b', '3', 1)] }), fee({ planned: [planned('a', '2', 1)] }))).toEqual([
      'b own',
    ]);
  });

  it('is that of every company once its own has ended', () => {
    const ending = fee({ from: 'company', planned: [planned('b', null, 2)] });
    const all = fee({ planned: [planned('a', '2', 1), planned('c', '3', 3)] });
    expect(plannedOf(ending, all)).toEqual(['b own', 'c all']);
  });

  it('is of the same chain alone', () => {
    const all = fee({ chain: { id: 'base', name: 'Base' }, planned: [planned('a', '2', 1)] });
    expect(plannedOf(fee(), all)).toEqual([]);
  });
});

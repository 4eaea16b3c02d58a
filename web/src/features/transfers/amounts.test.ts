import { describe, expect, it } from 'vitest';
import { amountProblem, inFull, isLess, mostThatCanBeSent, reckon, restAfter, testAmount, worth } from './amounts.ts';

const usdt = { minimum: '1', available: '100.000000', fee: '0.500000', decimals: 6 };

describe('the amount of a transfer', () => {
  it.each([
    ['', 'amountRequired'],
    ['0', 'belowMinimum'],
    ['1', 'belowMinimum'],
    ['1.', 'belowMinimum'],
    ['1.000001', null],
    ['99.5', null],
    ['99.500001', 'aboveBalance'],
    ['100', 'aboveBalance'],
    [`${'9'.repeat(78)}`, 'tooLarge'],
  ])('"%s": %s', (text, problem) => {
    expect(amountProblem(text, usdt)).toBe(problem);
  });

  it('is exact where floating point is not', () => {
    const eth = { minimum: '0.001', available: '9007199254740993.000000000000000001', fee: '0', decimals: 18 };
    expect(amountProblem('9007199254740993.000000000000000001', eth)).toBeNull();
    expect(amountProblem('9007199254740993.000000000000000002', eth)).toBe('aboveBalance');
  });
});

describe('transferring all', () => {
  it('is the balance minus the fee', () => {
    expect(mostThatCanBeSent(usdt)).toBe('99.5');
    expect(amountProblem(mostThatCanBeSent(usdt), usdt)).toBeNull();
  });

  it('is nothing when the fee is not covered', () => {
    expect(mostThatCanBeSent({ ...usdt, available: '0.4' })).toBe('0');
  });
});

describe('what a transfer does to its wallet', () => {
  it('adds the fee on top', () => {
    expect(reckon('10', usdt)).toEqual({ amount: '10.000000', total: '10.500000', left: '89.500000' });
  });

  it('says how much is missing', () => {
    expect(reckon('100', usdt)?.left).toBe('-0.500000');
  });

  it('waits for an amount', () => {
    expect(reckon('', usdt)).toBeNull();
  });
});

describe('what an amount is worth', () => {
  it.each([
    ['1', '3050.125', '3050.13'],
    ['0.001', '3050.124', '3.05'],
    ['2.5', '0.999', '2.50'],
    ['0', '3050', '0.00'],
    ['1.', '2', '2.00'],
  ])('%s at %s is %s', (amount, price, value) => {
    expect(worth(amount, price)).toBe(value);
  });

  it('is unknown without a price', () => {
    expect(worth('1', null)).toBeNull();
  });
});

describe('a test transfer', () => {
  it('is twice the minimum, and leaves the rest of the whole', () => {
    expect(testAmount(usdt)).toBe('2');
    expect(testAmount({ minimum: '0.0001', decimals: 8 })).toBe('0.0002');
    expect(restAfter('5000.25', '2', 6)).toBe('4998.25');
    expect(restAfter('', '2', 6)).toBeNull();
  });

  it('is written with all decimals of its coin', () => {
    expect([inFull('2', 6), inFull('2.', 6), inFull('x', 6)]).toEqual(['2.000000', '2.000000', 'x']);
  });

  it('is less than the whole', () => {
    expect(isLess('2', '2.000001', 6)).toBe(true);
    expect(isLess('2', '2.', 6)).toBe(false);
  });
});

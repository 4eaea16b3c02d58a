import { describe, expect, it } from 'vitest';
import { amountLine, amountParts } from './amount-parts.ts';

describe('an amount cut for reading', () => {
  it('dims the zeros that say nothing and keeps two decimals that read as money', () => {
    expect(amountParts('12.500000')).toEqual({ sign: '', whole: '12', significant: '.50', dimmed: '0000', more: '' });
    expect(amountParts('12.000000')).toEqual({ sign: '', whole: '12', significant: '.00', dimmed: '0000', more: '' });
    expect(amountParts('0.000001')).toEqual({ sign: '', whole: '0', significant: '.000001', dimmed: '', more: '' });
  });

  it('keeps every digit of figures that no number can hold', () => {
    expect(amountLine('98765432109876543210.123456789012345678', 'ETH')).toBe(
      '98,765,432,109,876,543,210.123456789012345678 ETH',
    );
  });

  it('groups thousands from the point to the left', () => {
    expect(amountParts('1000')?.whole).toBe('1,000');
    expect(amountParts('100')?.whole).toBe('100');
    expect(amountParts('1234567.89')?.whole).toBe('1,234,567');
  });

  it('says minus and plus, but never of nothing', () => {
    expect(amountParts('-5.00')?.sign).toBe('−');
    expect(amountParts('5.00', { signed: true })?.sign).toBe('+');
    expect(amountParts('5.00')?.sign).toBe('');
    expect(amountParts('-0.00', { signed: true })?.sign).toBe('');
  });

  it('handles coins with fewer decimals than two', () => {
    expect(amountParts('7')).toEqual({ sign: '', whole: '7', significant: '', dimmed: '', more: '' });
    expect(amountParts('7.5')).toEqual({ sign: '', whole: '7', significant: '.5', dimmed: '', more: '' });
  });

  it('says where digits beyond those wanted are left out, and never rounds', () => {
    expect(amountParts('0.123456789', { atMost: 6 })).toMatchObject({ significant: '.123456', more: '…' });
    expect(amountParts('0.999999999', { atMost: 2 })).toMatchObject({ whole: '0', significant: '.99', more: '…' });
    expect(amountParts('0.128369705', { atMost: 8 })).toMatchObject({
      significant: '.12836970',
      dimmed: '',
      more: '…',
    });
    expect(amountParts('1.500000000', { atMost: 6 })).toMatchObject({ significant: '.50', more: '' });
  });

  it('does not guess at what is not a plain decimal text', () => {
    for (const text of ['', '1e5', '1,000', '0x1', '.5', 'NaN', '١٢']) expect(amountParts(text)).toBeNull();
    expect(amountLine('1e5', 'ETH')).toBe('1e5');
  });
});

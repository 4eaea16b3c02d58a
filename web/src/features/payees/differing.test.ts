import { describe, expect, it } from 'vitest';
import { differingStretches } from './differing.ts';

describe('what differs between two addresses that look alike', () => {
  it('is the middle', () => {
    expect(differingStretches('0x12ab34', '0x12cd34')).toEqual([
      { text: '0x12', same: true },
      { text: 'ab', same: false },
      { text: '34', same: true },
    ]);
  });

  it('is not the case of the checksum', () => {
    expect(differingStretches('0xABcd', '0xabCD')).toEqual([{ text: '0xABcd', same: true }]);
  });

  it('is the case of a form in which it tells addresses apart', () => {
    expect(differingStretches('3Ab', '3ab')).toEqual([
      { text: '3', same: true },
      { text: 'A', same: false },
      { text: 'b', same: true },
    ]);
  });

  it('is everything beyond the end of a shorter one', () => {
    expect(differingStretches('abcd', 'ab')).toEqual([
      { text: 'ab', same: true },
      { text: 'cd', same: false },
    ]);
  });

  it('keeps every character in its place', () => {
    const address = '0x52908400098527886E0F7030069857D2E4169EE7';
    const joined = differingStretches(address, address.replace('098527886', '198527880'));
    expect(joined.map(({ text }) => text).join('')).toBe(address);
    expect(joined.filter(({ same }) => !same).map(({ text }) => text)).toEqual(['0', '6']);
  });
});

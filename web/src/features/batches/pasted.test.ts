import type { BatchField } from '@causeway/contract/batches-rules.ts';
import { describe, expect, it } from 'vitest';
import { cellsOf, fieldNamer, rowsOf } from './pasted.ts';

const names: Partial<Record<BatchField, string>> = { payee: '收款人', amount: '金額' };
const namer = fieldNamer((field) => names[field] ?? `(${field})`);

describe('pasted cells', () => {
  it('are read as a spreadsheet writes them, with quoted line breaks, tabs and quotation marks', () => {
    expect(cellsOf('A\t1,000.00\r\n"two\nlines"\t"say ""hi"""\r\n\t\r\n')).toEqual([
      ['A', '1,000.00'],
      ['two\nlines', 'say "hi"'],
    ]);
    expect(cellsOf('5" pipe\t2')).toEqual([['5" pipe', '2']]);
    expect(cellsOf('')).toEqual([]);
  });

  it('are matched by a first line that names fields, in the reader’s language or the contract’s', () => {
    expect(
      rowsOf(
        [
          ['金額', '', '收款人', 'asset'],
          ['5', 'x', 'A', 'USDT'],
        ],
        ['payee', 'amount'],
        namer,
      ),
    ).toEqual([{ amount: '5', payee: 'A', asset: 'USDT' }]);
  });

  it('are in the columns of the grid without such a line', () => {
    expect(
      rowsOf(
        [
          ['A', '5', 'left out'],
          ['', '6'],
        ],
        ['payee', 'amount'],
        namer,
      ),
    ).toEqual([{ payee: 'A', amount: '5' }, { amount: '6' }]);
    // One cell that is no field makes it a row of its own.
    expect(rowsOf([['payee', 'USDT']], ['payee', 'asset'], namer)).toEqual([{ payee: 'payee', asset: 'USDT' }]);
  });
});

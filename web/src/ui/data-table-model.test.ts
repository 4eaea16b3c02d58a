import { describe, expect, it } from 'vitest';
import { type Column, nextSort, sortRows } from './data-table-model.ts';

interface Row {
  name: string;
  amount: bigint | null;
}

const name: Column<Row> = { id: 'name', header: 'Name', cell: (row) => row.name, sort: (row) => row.name };
const amount: Column<Row> = {
  id: 'amount',
  header: 'Amount',
  cell: (row) => String(row.amount),
  sort: (row) => row.amount,
  align: 'right',
};
const rows: Row[] = [
  { name: 'b 10', amount: 10n ** 30n },
  { name: 'a', amount: null },
  { name: 'b 9', amount: 10n ** 30n + 1n },
  { name: 'c', amount: -5n },
];
const names = (sorted: readonly Row[]) => sorted.map((row) => row.name);

describe('the order of rows', () => {
  it('orders figures exactly, beyond what a number can tell apart', () => {
    expect(names(sortRows(rows, [name, amount], { by: 'amount', order: 'asc' }, 'en-US'))).toEqual([
      'c',
      'b 10',
      'b 9',
      'a',
    ]);
  });

  it('puts rows without a value last either way', () => {
    expect(names(sortRows(rows, [name, amount], { by: 'amount', order: 'desc' }, 'en-US'))).toEqual([
      'b 9',
      'b 10',
      'c',
      'a',
    ]);
  });

  it('orders numbers inside texts as numbers', () => {
    expect(names(sortRows(rows, [name, amount], { by: 'name', order: 'asc' }, 'en-US'))).toEqual([
      'a',
      'b 9',
      'b 10',
      'c',
    ]);
  });

  it('leaves rows as they came when nothing is asked for or the server sorts', () => {
    expect(sortRows(rows, [name], null, 'en-US')).toBe(rows);
    expect(sortRows(rows, [{ ...name, sort: 'server' }], { by: 'name', order: 'asc' }, 'en-US')).toBe(rows);
  });
});

describe('clicks on a head', () => {
  it('go down, up and back for figures; up, down and back for words', () => {
    const down = nextSort(null, amount);
    expect(down).toEqual({ by: 'amount', order: 'desc' });
    const up = nextSort(down, amount);
    expect(up).toEqual({ by: 'amount', order: 'asc' });
    expect(nextSort(up, amount)).toBeNull();
    expect(nextSort(up, name)).toEqual({ by: 'name', order: 'asc' });
  });
});

import * as batches from '@causeway/contract/batches.ts';
import { batchPartRows } from '@causeway/contract/batches-rules.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { openTestBank, openTestBankWallet } from '../../testing/banks.ts';
import { draft, readWhole, savedCryptoPayee, uploaded, wrongRows } from '../../testing/batch-drafts.ts';
import { randomAddress } from '../../testing/company.ts';
import { testDatabase } from '../../testing/database.ts';
import { type MainApp, type Member, mainApp, type Tenant } from '../../testing/main-app.ts';
import { succeed } from '../../testing/succeed.ts';

/** Rows of drafts that are mended, on a real database, through the calls. */

let world: MainApp;
let company: Tenant;
let admin: Member;
/** What happens while a node is asked what is at an address. */
let meanwhile: (() => Promise<unknown>) | null = null;
beforeAll(async () => {
  const db = await testDatabase();
  await openTestBank(db);
  world = await mainApp(db, undefined, {
    async readCode() {
      const work = meanwhile;
      meanwhile = null;
      await work?.();
      return 'none';
    },
  });
  company = await world.company();
  admin = company.admin;
  await openTestBankWallet(db, company.id, 'HKD');
});
afterAll(async () => {
  await world.close();
  await world.db.close();
});
afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

describe('mending', () => {
  test('changes a row in place, under the version that was seen', async () => {
    await savedCryptoPayee(world, admin, 'Mended supplier');
    const { batch, rows } = await uploaded(world, admin, 'payee,coin,amount\nMended suplier,USDT,5\n');
    const rowId = rows[0]?.id ?? '';
    const body = { batchId: batch.id, version: batch.version, rowId, written: { payee: 'Mended supplier' } };
    const { row, version } = (await succeed(world, batches.mendBatchRow, { as: admin, body })).data;
    expect(row).toMatchObject({
      id: rowId,
      number: 1,
      written: { payee: 'Mended supplier', asset: 'USDT', amount: '5' },
      problems: [],
    });
    const late = await world.ask(batches.mendBatchRow, { as: admin, body });
    expect(late.key).toBe('batchChanged');
    const cleared = { ...body, version, written: { asset: '' } };
    expect((await succeed(world, batches.mendBatchRow, { as: admin, body: cleared })).data.row.written).toEqual({
      payee: 'Mended supplier',
      amount: '5',
    });
    const unknown = await world.ask(batches.mendBatchRow, {
      as: admin,
      body: { ...body, version: version + 1, rowId: newId() },
    });
    expect(unknown.key).toBe('batchRowNotFound');
  });

  test('two edits of one version: one is made, the other is refused', async () => {
    const { batch, rows } = await uploaded(world, admin, 'payee,amount\nA,5\n');
    const [row] = rows;
    const edit = (amount: string) =>
      world.ask(batches.mendBatchRow, {
        as: admin,
        body: { batchId: batch.id, version: batch.version, rowId: row?.id, written: { amount } },
      });
    const answers = await Promise.all(['6', '7', '8', '9'].map(edit));
    expect(answers.map(({ key }) => key ?? 'done').sort()).toEqual([
      'batchChanged',
      'batchChanged',
      'batchChanged',
      'done',
    ]);
  });

  test('a row that is mended or removed while its new payee is being saved stays as it was mended, and goes', async () => {
    const { batch, rows } = await uploaded(
      world,
      admin,
      `payee,account,coin,amount\nNew one,${randomAddress()},USDT,1200\nNew two,${randomAddress()},USDT,7\n`,
    );
    const [first, second] = rows.map(({ id }) => id);
    const version = async () => (await draft(world, admin, batch.id)).batch.version;
    meanwhile = async () => {
      const mended = { batchId: batch.id, version: await version(), rowId: first, written: { amount: '120' } };
      await succeed(world, batches.mendBatchRow, { as: admin, body: mended });
      const removed = { batchId: batch.id, version: await version(), rows: [second] };
      await succeed(world, batches.removeBatchRows, { as: admin, body: removed });
    };
    const body = { batchId: batch.id, version: batch.version };
    expect((await succeed(world, batches.saveNewPayees, { as: admin, body })).data).toMatchObject({ saved: 2 });
    const after = await draft(world, admin, batch.id);
    expect(after.rows).toMatchObject([
      {
        id: first,
        written: { amount: '120' },
        meaning: { amount: '120.000000', payee: { label: 'New one' } },
        problems: [],
      },
    ]);
    expect(after.rows).toHaveLength(1);
  });

  test('rows that are alike are marked, and no longer once one of them is another', async () => {
    await savedCryptoPayee(world, admin, 'Doubled supplier');
    const { batch, rows } = await uploaded(
      world,
      admin,
      'payee,coin,amount,invoice\nDoubled supplier,USDT,5,1\nDoubled supplier,USDT,5.00,1\nDoubled supplier,USDT,5,2\n',
    );
    const keys = (all: batches.BatchRow[]) => all.map(({ problems }) => problems.map(({ key }) => key));
    expect(keys(rows)).toEqual([['duplicate'], ['duplicate'], []]);
    expect(rows[0]?.problems[0]?.sentence).toBe('Pays the same payee the same amount as row 2.');
    expect(batch.counts).toMatchObject({ wrong: 0, warned: 2 });
    const accepted = (
      await succeed(world, batches.acceptBatchWarnings, {
        as: admin,
        body: { batchId: batch.id, version: batch.version, rows: [rows[0]?.id] },
      })
    ).data;
    expect(accepted.accepted).toBe(1);
    expect((await draft(world, admin, batch.id, 'warned')).rows.map(({ number }) => number)).toEqual([2]);
    const body = { batchId: batch.id, version: accepted.version, rowId: rows[1]?.id, written: { amount: '6' } };
    await succeed(world, batches.mendBatchRow, { as: admin, body });
    const after = await draft(world, admin, batch.id);
    expect(keys(after.rows)).toEqual([[], [], []]);
    expect(after.batch.counts.warned).toBe(0);
  });

  test('typed rows are added, taken out, and the wrong ones taken out together', async () => {
    await savedCryptoPayee(world, admin, 'Typed supplier');
    const { id, version } = (await succeed(world, batches.addBatch, { as: admin, body: { name: 'Typed' } })).data;
    const rows = ['Typed supplier', 'Unsaved', 'Typed supplier', 'Neither'].map((payee, i) => ({
      id: newId(),
      written: { payee, asset: 'USDT', amount: `${i + 1}` },
    }));
    const added = (await succeed(world, batches.addBatchRows, { as: admin, body: { batchId: id, version, rows } }))
      .data;
    const first = await draft(world, admin, id);
    expect(first.batch).toMatchObject({ state: 'draft', source: 'typed', rows: 4, counts: { wrong: 2 } });
    const again = await world.ask(batches.addBatchRows, {
      as: admin,
      body: { batchId: id, version: added.version, rows: rows.slice(0, 1) },
    });
    expect(again.key).toBe('idTaken');
    const removed = (
      await succeed(world, batches.removeBatchRows, {
        as: admin,
        body: { batchId: id, version: added.version, rows: 'wrong' },
      })
    ).data;
    expect(removed.removed).toBe(2);
    // A row of another batch is not taken for one that is out already.
    const { rows: others } = await uploaded(world, admin, 'payee,coin,amount\nTyped supplier,USDT,9\n');
    const foreign = { batchId: id, version: removed.version, rows: [others[0]?.id] };
    for (const call of [batches.removeBatchRows, batches.acceptBatchWarnings] as const)
      expect((await world.ask(call, { as: admin, body: foreign })).key).toBe('batchRowNotFound');
    const body = { batchId: id, version: removed.version, rows: [first.rows[0]?.id] };
    await succeed(world, batches.removeBatchRows, { as: admin, body });
    const last = await draft(world, admin, id);
    // A row keeps its number, by which people know it.
    expect(last.rows.map(({ number, written }) => [number, written.amount])).toEqual([[3, '3']]);
  });

  test('only the wrong rows are downloaded, in the columns of the upload, and mended there', async () => {
    await savedCryptoPayee(world, admin, 'Right supplier');
    const { batch } = await uploaded(world, admin, 'Who;Coin;How much\nRight supplier;USDT;5\nWrong suplier;USDT;6\n');
    const mapping = { payee: 0, asset: 1, amount: 2 };
    await succeed(world, batches.mapBatch, { as: admin, body: { id: batch.id, version: batch.version, mapping } });
    await readWhole(world, admin, batch.id);
    expect(await wrongRows(world, admin, batch.id)).toEqual([
      ['Who', 'Coin', 'How much', 'What is wrong'],
      [
        'Wrong suplier',
        'USDT',
        '6',
        'No saved payee is called “Wrong suplier”. Correct the name, or give the payee’s account so that it can be saved.',
      ],
    ]);
  });

  test('beside amounts with a decimal comma a point before three digits is refused, in rows before them too', async () => {
    await savedCryptoPayee(world, admin, 'European supplier');
    const amounts = ['1.500', ...Array.from({ length: batchPartRows }, (_, i) => `${i + 1},50`), '2.250', '7.25'];
    const lines = amounts.map((amount, i) => `European supplier;USDT;${amount};${i}\n`).join('');
    const { batch } = await uploaded(world, admin, `payee;currency;amount;invoice\n${lines}`);
    const { rows: wrong } = await draft(world, admin, batch.id, 'wrong');
    expect(wrong.map(({ number, problems }) => [number, problems.map(({ key }) => key)])).toEqual([
      [1, ['amountAmbiguous']],
      [batchPartRows + 2, ['amountAmbiguous']],
    ]);
    expect(wrong[0]?.problems[0]?.sentence).toBe('“1.500” can be read as 1.50 or as 1,500.');
    expect(batch.totals).toEqual([{ asset: 'USDT', amount: '125507.250000', rows: batchPartRows + 1 }]);
  });

  test('a typed point is read again once an amount with a decimal comma comes, and once it is gone', async () => {
    await savedCryptoPayee(world, admin, 'Typing supplier');
    const body = { id: newId(), name: 'Typed points' };
    const { id: batchId } = (await succeed(world, batches.addBatch, { as: admin, body })).data;
    const ids = [newId(), newId()];
    const version = async () => (await draft(world, admin, batchId)).batch.version;
    const add = async (id: string | undefined, amount: string) => {
      const rows = [{ id, written: { payee: 'Typing supplier', asset: 'USDT', amount, invoiceNumber: amount } }];
      await succeed(world, batches.addBatchRows, { as: admin, body: { batchId, version: await version(), rows } });
    };
    const said = async () =>
      (await draft(world, admin, batchId)).rows.map(({ meaning, problems }) => meaning?.amount ?? problems[0]?.key);
    await add(ids[0], '1.500');
    expect(await said()).toEqual(['1.500000']);
    await add(ids[1], '120,50');
    expect(await said()).toEqual(['amountAmbiguous', '120.500000']);
    const mended = { batchId, version: await version(), rowId: ids[1], written: { amount: '120.50' } };
    await succeed(world, batches.mendBatchRow, { as: admin, body: mended });
    const again = { id: batchId, version: await version() };
    await succeed(world, batches.recheckBatch, { as: admin, body: again });
    await readWhole(world, admin, batchId);
    expect(await said()).toEqual(['1.500000', '120.500000']);
  });

  test('a file of wrong rows that comes back with its reasons is read at once', async () => {
    const { batch } = await uploaded(world, admin, 'payee;coin;amount\nReturned suplier;USDT;6\n');
    await savedCryptoPayee(world, admin, 'Returned supplier');
    const [header = [], [, ...cells] = []] = await wrongRows(world, admin, batch.id);
    const mended = [header, ['Returned supplier', ...cells]].map((row) => row.join(';')).join('\n');
    expect((await uploaded(world, admin, mended)).batch).toMatchObject({ state: 'draft', counts: { wrong: 0 } });
  });

  test('the template is read back as rows that pay no one', async () => {
    const response = await world.app.inject({
      url: '/web/crypto/batch/template',
      headers: { authorization: `Bearer ${admin.token}`, 'accept-language': 'zh-hk' },
    });
    const { batch, rows } = await uploaded(world, admin, response.rawPayload);
    expect(rows.length).toBeGreaterThan(3);
    expect(batch.counts.wrong).toBe(rows.length);
  });
});

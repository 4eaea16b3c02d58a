import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { beginRestoreMode, endRestoreMode } from '../../../../platform/database/restore-mode.ts';
import { outgoingKinds } from '../../../../testing/chain-families.ts';
import {
  detailOf,
  endToEndOf,
  type PayingCompany,
  type PayoutWorld,
  payoutWorld,
  submitted,
  testBank,
} from '../../../../testing/payouts.ts';
import { deliverOrders } from './delivering.ts';
import { bankOrders } from './due.ts';
import { makeOrders } from './orders.ts';

/** Orders to a bank: how one is written, one that cannot be made, and workers that make and deliver the same one. */

let payouts: PayoutWorld;
let company: PayingCompany;
let superuser: pg.Client;
beforeAll(async () => {
  payouts = await payoutWorld();
  company = await payouts.company('1015.00');
  superuser = new pg.Client({ connectionString: payouts.db.superuserUrl });
  await superuser.connect();
});
afterAll(async () => {
  await superuser.end();
  await payouts.close();
});

/** Hands it over, and does `meanwhile` when the worker has taken it over and not yet instructed the bank. */
async function sentAround(id: string, meanwhile: () => Promise<unknown>): Promise<void> {
  const { worker } = payouts.db;
  let transactions = 0;
  const late: typeof worker = {
    ...worker,
    withCompany: async (companyId, work, options) => {
      transactions += 1;
      if (transactions === 2) await meanwhile();
      return worker.withCompany(companyId, work, options);
    },
  };
  await payouts.send(company.id, id, late);
  expect(transactions).toBe(2);
}

const stageOf = async (id: string) => (await detailOf(payouts, company, id)).stage;

test('an order that cannot be written holds up no other, and is tried again', async () => {
  const [broken, whole] = [
    await submitted(payouts, company, { amount: '4' }),
    await submitted(payouts, company, { amount: '5' }),
  ];
  for (const id of [broken, whole]) await payouts.send(company.id, id);
  const setName = (name: string) =>
    superuser.query(
      `update causeway.bank_order_line set service_level = 'URGP', instruction = jsonb_set(instruction, '{payee,name}', to_jsonb($2::text))
       where transaction_id = $1`,
      [broken, name],
    );
  await superuser.query("update causeway.bank_order_line set service_level = 'ZZZZ' where transaction_id = $1", [
    whole,
  ]);
  await setName('');
  const deliver = () => bankOrders(payouts.db.worker, outgoingKinds).deliver(testBank, payouts.folder);
  await expect(deliver()).rejects.toThrow('Nm has 1 to 140 characters');
  expect(payouts.folder.take().map(({ text }) => text.includes(endToEndOf(whole)))).toEqual([true]);
  await setName('Harbour Supplies');
  await deliver();
  expect(payouts.folder.take().map(({ text }) => text.includes(endToEndOf(broken)))).toEqual([true]);
});

test('a payment that cannot be written is in no order', async () => {
  await superuser.query('update causeway.company set name = $2 where company_id = $1', [company.id, 'x'.repeat(141)]);
  const id = await submitted(payouts, company, { amount: '3' });
  await expect(payouts.send(company.id, id)).rejects.toThrow('Nm has 1 to 140 characters');
  await payouts.order();
  expect(payouts.folder.take()).toEqual([]);
  await superuser.query("update causeway.company set name = 'Harbour Trading' where company_id = $1", [company.id]);
  await payouts.send(company.id, id);
  await payouts.order();
  expect(payouts.folder.take()).toHaveLength(1);
});

test('an order has the number and the sum of its payments, and one id in file and name', async () => {
  const ids = [await submitted(payouts, company, { amount: '3' }), await submitted(payouts, company, { amount: '4' })];
  for (const id of ids) await payouts.send(company.id, id);
  await payouts.order();
  const { rows } = await superuser.query(
    `select payments, total::text, message_id as id, file_name as name from causeway.bank_order
     where id = (select order_id from causeway.bank_order_line where transaction_id = $1)`,
    [ids[0]],
  );
  const id = expect.stringMatching(/^[\dA-F]{32}$/);
  expect(rows).toEqual([{ payments: 2, total: '700', id, name: `pain.001_${rows[0]?.id}.xml` }]);
  const [file, ...others] = payouts.folder.take();
  expect([file?.name, others]).toEqual([rows[0]?.name, []]);
  expect(file?.text).toMatch(new RegExp(`^<\\?xml.*<MsgId>${rows[0]?.id}</MsgId>`, 's'));
});

describe('a payment that two workers hand over', () => {
  const sentTwice = (id: string) => sentAround(id, () => payouts.send(company.id, id));

  test('is in one order, once', async () => {
    const id = await submitted(payouts, company, { amount: '2' });
    await sentTwice(id);
    await payouts.order();
    const asked = payouts.folder.take().map(({ text }) => text.split(`<EndToEndId>${endToEndOf(id)}<`).length - 1);
    expect(asked).toEqual([1]);
  });

  test('and that is not what was authorised is refused once', async () => {
    const id = await submitted(payouts, company, { amount: '2' });
    await superuser.query("update causeway.payout set terms = replace(terms, '004', '012') where transaction_id = $1", [
      id,
    ]);
    await sentTwice(id);
    expect(payouts.complaints.splice(0)).toEqual([expect.stringContaining('not what was authorised')]);
    expect(await stageOf(id)).toBe('refused');
    await payouts.order();
    expect(payouts.folder.take()).toEqual([]);
  });
});

describe('an order that another worker delivers', () => {
  /** All that the bank has taken: it takes a file as soon as it is there. */
  const taken: string[] = [];
  const deliver = async () => {
    await deliverOrders(payouts.db.worker, testBank, payouts.folder);
    taken.push(...payouts.folder.take().map(({ text }) => text));
  };
  const once = (work: () => Promise<void>) => {
    let done: Promise<void> | null = null;
    return () => {
      done ??= work();
      return done;
    };
  };
  const made = async () => {
    const id = await submitted(payouts, company, { amount: '2' });
    await payouts.send(company.id, id);
    await makeOrders(payouts.db.worker, testBank, new Date());
    return id;
  };
  const asked = (id: string) => taken.filter((text) => text.includes(endToEndOf(id))).length;

  test('after this one has read it, is left to it', async () => {
    const id = await made();
    const { worker } = payouts.db;
    const other = once(deliver);
    const slow: typeof worker = {
      ...worker,
      withCompany: async (companyId, work, options) => {
        await other();
        return worker.withCompany(companyId, work, options);
      },
    };
    await deliverOrders(slow, testBank, payouts.folder);
    await deliver();
    expect([asked(id), payouts.folder.files.size]).toEqual([1, 0]);
  });

  test('while this one writes the file, is left to it', async () => {
    const id = await made();
    const other = once(deliver);
    const slow = {
      ...payouts.folder,
      put: async (name: string, content: Uint8Array) => {
        await other();
        await payouts.folder.put(name, content);
      },
    };
    await deliverOrders(payouts.db.worker, testBank, slow);
    await deliver();
    expect(asked(id)).toBe(1);
    expect([...payouts.folder.files.keys()]).toEqual([expect.stringMatching(/\.tmp$/)]);
    payouts.folder.files.clear();
  });
});

describe('an order', () => {
  test.each([
    ['GB33BUKB20201555555555', '<IBAN>GB33BUKB20201555555555</IBAN>'],
    ['998001000000001', '<Othr><Id>998001000000001</Id></Othr>'],
    ['1GB33BUKB2020', '<Othr><Id>1GB33BUKB2020</Id></Othr>'],
    ['G133BUKB2020', '<Othr><Id>G133BUKB2020</Id></Othr>'],
    ['GB3BUKB2020', '<Othr><Id>GB3BUKB2020</Id></Othr>'],
  ])('is paid from %s as what it is', async (account, written) => {
    await superuser.query("update causeway.bank_asset set collecting_account = $1 where asset_id = 'HKD'", [account]);
    try {
      const id = await submitted(payouts, company, { amount: '10' });
      await payouts.send(company.id, id);
      expect(await makeOrders(payouts.db.worker, testBank, new Date())).toBe(1);
      await payouts.order();
      const [file] = payouts.folder.take();
      expect(file?.text).toContain(`<DbtrAcct><Id>${written}</Id><Ccy>HKD</Ccy></DbtrAcct>`);
    } finally {
      await superuser.query(
        "update causeway.bank_asset set collecting_account = '998001000000001' where asset_id = 'HKD'",
      );
    }
  });

  const restoring = () =>
    payouts.db.operator.withoutCompany((tx) =>
      beginRestoreMode(tx, { cause: 'operator', reason: 'drill', by: 'test' }),
    );
  const restored = () =>
    payouts.db.operator.withoutCompany((tx) => endRestoreMode(tx, { by: 'test', reason: 'drill is over' }));

  test('has what was handed over before restore mode only once it is over', async () => {
    const id = await submitted(payouts, company, { amount: '10' });
    await restoring();
    await payouts.send(company.id, id).finally(restored);
    await payouts.order();
    expect([await stageOf(id), payouts.folder.take()]).toEqual(['approved', []]);
    await payouts.send(company.id, id);
    await payouts.send(company.id, id);
    await payouts.order();
    expect([await stageOf(id), payouts.folder.take().length]).toEqual(['instructed', 1]);
  });

  test('has what was taken over when restore mode began only once it is over', async () => {
    const id = await submitted(payouts, company, { amount: '10' });
    await sentAround(id, restoring).finally(restored);
    await payouts.order();
    expect([await stageOf(id), payouts.folder.take()]).toEqual(['instructed', []]);
    await payouts.send(company.id, id);
    await payouts.order();
    expect(payouts.folder.take()).toHaveLength(1);
  });
});

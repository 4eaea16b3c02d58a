import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createLog } from '../../../platform/process/log.ts';
import { dayStatement, notification, takeIn } from '../../../testing/bank-intake.ts';
import { openTestBank, openTestCollection } from '../../../testing/banks.ts';
import { type QueueWorld, queueWorld } from '../../../testing/queue-world.ts';
import { get } from './service.ts';
import { sweep } from './sweep.ts';

/** What banks leave open is in the operator's queue, and ends with its cause. */

const log = createLog('test', 'silent');
let world: QueueWorld;
beforeAll(async () => {
  world = await queueWorld();
  await openTestBank(world.db);
});
afterAll(() => world.close());
beforeEach(() => world.empty());

const found = async () => {
  await sweep(world.db.console, log);
  return (await world.items()).items;
};

test('money that is no company\u2019s, with what is known of it, in three languages', async () => {
  await takeIn(
    world.db,
    notification([{ amount: '12.50', ref: 'Q-1', details: [{ payer: 'Kowloon Mills', text: 'hello' }] }]),
  );
  const [item] = await found();
  expect(item).toMatchObject({
    kind: 'moneyUnmatched',
    urgency: 'urgent',
    amount: { quantity: '12.50', asset: 'HKD' },
  });
  const viewer = await world.operator('viewer');
  for (const [locale, title] of [
    ['en-us', '12.50 HKD arrived at a bank and belongs to no company yet'],
    ['zh-hk', '\u9280\u884c\u6536\u5230 12.50 HKD'],
    ['zh-cn', '\u94f6\u884c\u6536\u5230 12.50 HKD'],
  ] as const) {
    const detail = await world.asConsole((tx) => get(tx, { ...viewer, locale }, { id: item?.id ?? '' }));
    expect(detail.title).toContain(title);
    expect(detail.facts.map(({ value }) => value)).toEqual(expect.arrayContaining(['Kowloon Mills', 'hello', 'Q-1']));
  }
});

test('files that cannot be used, days that are missing, entries that differ, what was announced and never booked', async () => {
  const of = { of: '998009' };
  await openTestCollection(world.db, of.of);
  await takeIn(world.db, 'no xml', 'bad.xml');
  await takeIn(
    world.db,
    notification(
      [
        { amount: '5.00', ref: 'A', details: [] },
        { amount: '7.00', ref: 'B' },
      ],
      of,
    ),
  );
  await takeIn(world.db, dayStatement([{ amount: '4.00', ref: 'A' }], of));
  await takeIn(world.db, dayStatement([], { ...of, opening: '9.00', date: '2026-11-24' }));
  await takeIn(
    world.db,
    dayStatement([{ amount: '1.00', sign: 'DBIT', ref: 'FEE' }], { ...of, opening: '9.00', date: '2026-11-25' }),
  );
  const kinds = (await found()).filter(({ title }) => !title.includes('12.50')).map(({ kind }) => kind);
  expect([...new Set(kinds)].sort()).toEqual([
    ...['bankCharged', 'bankDayMissing', 'bankEntryDiffers', 'bankFileRefused', 'bankNotBooked', 'moneyUnmatched'],
  ]);
  await takeIn(
    world.db,
    dayStatement([{ amount: '5.00', ref: 'C', date: '2026-11-23' }], { ...of, opening: '4.00', date: '2026-11-23' }),
  );
  expect((await found()).map(({ kind }) => kind)).not.toContain('bankDayMissing');
});

test('why a file is refused and which bank it is of is said in the reader’s language', async () => {
  const refused = (await found()).find(({ kind }) => kind === 'bankFileRefused');
  const viewer = await world.operator('viewer');
  for (const [locale, bank, why] of [
    ['en-us', 'Harbour Bank', 'The file is not well-formed XML, or not complete (line 1, column 6).'],
    ['zh-hk', '海港銀行', '檔案不是正確的 XML，或內容不完整（第 1 行第 6 欄）。'],
    ['zh-cn', '海港银行', '文件不是格式正确的 XML，或内容不完整（第 1 行第 6 列）。'],
  ] as const) {
    const { facts } = await world.asConsole((tx) => get(tx, { ...viewer, locale }, { id: refused?.id ?? '' }));
    expect(facts.map(({ value }) => value)).toEqual(expect.arrayContaining([bank, why]));
  }
});

test('a connection with another host key at once, one that fails after a while', async () => {
  const failing = (problem: string) =>
    world.db.worker.withoutCompany((tx) =>
      sql`insert into bank_connection_state (bank_id, problem, problem_since, detail) values ('harbour-hk', ${problem}, now(), 'x')
        on conflict (bank_id) do update set problem = excluded.problem, problem_since = now()`.execute(tx),
    );
  const isOpen = async () => (await found()).some(({ kind }) => kind === 'bankFailing');
  await failing('unreachable');
  expect(await isOpen()).toBe(false);
  await failing('hostKeyChanged');
  expect(await isOpen()).toBe(true);
  await world.db.worker.withoutCompany((tx) =>
    sql`update bank_connection_state set problem = null, problem_since = null`.execute(tx),
  );
  expect(await isOpen()).toBe(false);
});

import { discardBatch, listBatches } from '@causeway/contract/batches.ts';
import { listNotices } from '@causeway/contract/notices.ts';
import {
  addDays,
  getPayoutTemplate,
  listPayoutTemplates,
  type PayDays,
  pausePayoutSchedule,
  payDaysFrom,
  removePayoutTemplate,
  schedulePayoutTemplate,
  weekendRules,
} from '@causeway/contract/payout-templates.ts';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { draft, savedCryptoPayee } from '../../../testing/batch-drafts.ts';
import { savedTemplate, scheduleOf } from '../../../testing/batch-templates.ts';
import { testDatabase } from '../../../testing/database.ts';
import { asSuperuser } from '../../../testing/exchange-world.ts';
import { type MainApp, type Member, mainApp, type Tenant } from '../../../testing/main-app.ts';
import { present } from '../../../testing/present.ts';
import { succeed } from '../../../testing/succeed.ts';
import { nextOf } from './schedule.ts';
import type { NewSchedule } from './store.ts';
import { takeDueTurns } from './turns.ts';

let world: MainApp;
let tenant: Tenant;
let payer: Member;
beforeAll(async () => {
  world = await mainApp(await testDatabase());
});
beforeEach(async () => {
  tenant = await world.company();
  payer = await world.member(tenant, 'finance');
  await savedCryptoPayee(world, tenant.admin, 'Chan Siu Ming');
});
afterAll(async () => {
  await world.close();
  await world.db.close();
});
afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

const row = { payee: 'Chan Siu Ming', asset: 'USDT', amount: '120.50' };
/** One round at a time of Hong Kong. */
const roundAt = (time: string, log = world.templates.log) =>
  takeDueTurns({ ...world.templates, log, clock: { now: () => new Date(`${time}+08:00`) } });
const get = async (id: string) => (await succeed(world, getPayoutTemplate, { as: tenant.admin, params: { id } })).data;
const turnsOf = async (id: string) => (await get(id)).turns.map(({ payDay, outcome }) => `${payDay} ${outcome}`);
const titles = async (as: Member) => (await succeed(world, listNotices, { as })).data.items.map(({ title }) => title);

async function scheduled(change: Record<string, unknown> = {}, rows: readonly object[] = [row], name = 'Payroll') {
  const id = await savedTemplate(world, tenant.admin, rows, name);
  await succeed(world, schedulePayoutTemplate, { as: tenant.admin, body: scheduleOf(id, payer, change) });
  return id;
}

describe('a turn', () => {
  test('makes a batch that is read and waits for its initiator, who gets a notice', async () => {
    const id = await scheduled();
    await roundAt('2030-01-22T08:59:59');
    expect((await get(id)).turns).toEqual([]);
    await roundAt('2030-01-22T09:00:00');
    const { turns, schedule } = await get(id);
    expect(turns).toMatchObject([
      { payDay: '2030-01-25', outcome: 'made', batch: { name: 'Payroll 2030-01-25', isSubmitted: false, wrong: 0 } },
    ]);
    // 25 February 2030 is a Monday.
    expect(schedule?.next).toEqual({ payDay: '2030-02-25', at: '2030-02-22T01:00:00.000Z' });
    const { batch, rows } = await draft(world, tenant.admin, present(turns[0]?.batch).id);
    expect(batch).toMatchObject({ state: 'draft', source: 'template', createdBy: { id: payer.session.userId } });
    expect(rows[0]?.meaning).toMatchObject({ amount: '120.500000', payee: { label: 'Chan Siu Ming' } });
    expect(await titles(payer)).toContain('Ready to submit: Payroll 2030-01-25');
    const { ready } = (await succeed(world, listPayoutTemplates, { as: payer })).data;
    expect(ready).toMatchObject([
      { batchId: batch.id, payDay: '2030-01-25', initiatorId: payer.session.userId, rows: 1, wrong: 0 },
    ]);
    await succeed(world, discardBatch, { as: tenant.admin, params: { id: batch.id } });
    expect((await succeed(world, listPayoutTemplates, { as: payer })).data.ready).toEqual([]);
    expect((await get(id)).turns).toMatchObject([{ outcome: 'made', batch: null }]);
  });

  test('says in its notice which payments do not pass', async () => {
    const id = await scheduled({}, [row, { ...row, payee: 'Left Long Ago' }]);
    await roundAt('2030-01-22T10:00:00');
    expect((await get(id)).turns[0]?.batch).toMatchObject({ wrong: 1 });
    expect(await titles(payer)).toContain('Needs corrections before it is submitted: Payroll 2030-01-25');
  });

  test('is taken once by processes at the same time, and not again after the schedule was changed', async () => {
    const id = await scheduled();
    const rounds = Array.from({ length: 4 }, () => roundAt('2030-01-22T09:00:00'));
    await Promise.all(rounds);
    expect(await turnsOf(id)).toEqual(['2030-01-25 made']);
    expect((await succeed(world, listBatches, { as: payer })).data.items).toHaveLength(1);
    await succeed(world, schedulePayoutTemplate, { as: tenant.admin, body: scheduleOf(id, payer, { time: '10:00' }) });
    expect((await get(id)).schedule?.next?.payDay).toBe('2030-02-25');
    await roundAt('2030-01-22T11:00:00');
    expect(await turnsOf(id)).toEqual(['2030-01-25 made']);
  });

  test('that was missed is made late, once, and only the latest', async () => {
    const id = await scheduled();
    await roundAt('2030-04-23T12:00:00');
    await roundAt('2030-04-23T12:00:05');
    expect(await turnsOf(id)).toEqual(['2030-04-25 made']);
    expect((await get(id)).schedule?.next?.payDay).toBe('2030-05-24');
  });

  test('is left out while its schedule is paused, and there is none after its template was deleted', async () => {
    const id = await scheduled();
    await succeed(world, pausePayoutSchedule, { as: tenant.admin, body: { id, isPaused: true } });
    await roundAt('2030-01-23T09:00:00');
    expect(await turnsOf(id)).toEqual([]);
    await succeed(world, pausePayoutSchedule, { as: tenant.admin, body: { id, isPaused: false } });
    await succeed(world, removePayoutTemplate, { as: tenant.admin, params: { id } });
    const failed: unknown[] = [];
    const log = { warn: (...what: unknown[]) => failed.push(what) } as never;
    await roundAt('2030-01-24T09:00:00', log);
    expect(failed).toEqual([]);
    expect((await succeed(world, listPayoutTemplates, { as: payer })).data.ready).toEqual([]);
  });

  test('is due at its moment, and the next one after that moment is another', async () => {
    const templateId = await scheduled();
    const timing = { ...scheduleOf(templateId, payer), templateId, timeZone: 'Asia/Hong_Kong' } as NewSchedule;
    const nextAfter = (time: string) =>
      world.db.app.withCompany(tenant.id, (tx) => nextOf(tx, timing, new Date(`${time}+08:00`)));
    expect((await nextAfter('2030-01-22T08:59:59'))?.payDay).toBe('2030-01-25');
    expect((await nextAfter('2030-01-22T09:00:00'))?.payDay).toBe('2030-02-25');
  });

  test('waits while the installation is being restored', async () => {
    const id = await scheduled();
    await asSuperuser(
      world.db,
      `insert into causeway.restore_mode (cause, reason, begun_by) values ('operator', 'test', 'ada')`,
    );
    await roundAt('2030-01-22T09:00:00');
    await asSuperuser(
      world.db,
      `update causeway.restore_mode set released_at = now(), released_by = 'ada', release_reason = 'test'`,
    );
    expect(await turnsOf(id)).toEqual([]);
    await roundAt('2030-01-22T09:00:05');
    expect(await turnsOf(id)).toEqual(['2030-01-25 made']);
  });

  test.each([
    [
      'its initiator may not pay any more',
      () =>
        asSuperuser(
          world.db,
          'update causeway.member set disabled_at = now(), deleted_at = now() where company_id = $1 and id = $2',
          [tenant.id, payer.session.userId],
        ),
      'may not make payments',
    ],
    [
      'the company is frozen',
      () => asSuperuser(world.db, 'update causeway.company set frozen_at = now() where company_id = $1', [tenant.id]),
      'frozen',
    ],
  ])('is refused where %s, with the reason, and those who may pay get a notice', async (_, change, reason) => {
    const id = await scheduled();
    await change();
    await roundAt('2030-01-22T09:00:00');
    const { turns, schedule } = await get(id);
    expect(turns).toMatchObject([{ outcome: 'refused', batch: null, sentence: expect.stringContaining(reason) }]);
    expect(schedule?.next?.payDay).toBe('2030-02-25');
    expect(await titles(tenant.admin)).toContain('No batch was made from “Payroll” for Jan 25, 2030');
  });

  test('is refused where its template has no rows', async () => {
    const id = await scheduled({}, []);
    await roundAt('2030-01-22T09:00:00');
    expect((await get(id)).turns).toMatchObject([{ outcome: 'refused', sentence: expect.stringContaining('no rows') }]);
  });

  test('is the last one where no pay day follows', async () => {
    const id = await scheduled({ lastDay: '2030-01-31' });
    await roundAt('2030-01-22T09:00:00');
    expect((await get(id)).schedule).toMatchObject({ state: 'ended', next: null });
  });
});

test('by the clock of the company, where summer begins as well', async () => {
  await asSuperuser(
    world.db,
    `insert into causeway.company_setting (company_id, time_zone, code_recipient) values ($1, 'Europe/London', 'initiator')
    on conflict (company_id) do update set time_zone = excluded.time_zone`,
    [tenant.id],
  );
  const id = await scheduled({ day: 31, prepareDays: 0, weekend: 'stay', firstDay: '2030-03-01', time: '01:30' });
  // In London 01:30 of 31 March 2030 does not exist: the clock goes from 01:00 to 02:00.
  expect((await get(id)).schedule?.next).toEqual({ payDay: '2030-03-31', at: '2030-03-31T01:30:00.000Z' });
});

test('over random clocks each round makes the latest turn that is due, once', async () => {
  let count = 0;
  const cases = fc.record({
    every: fc.constantFrom('week' as const, 'month' as const),
    day: fc.integer({ min: 1, max: 7 }),
    weekend: fc.constantFrom(...weekendRules),
    prepareDays: fc.integer({ min: 0, max: 10 }),
    steps: fc.array(fc.integer({ min: 0, max: 30 * 24 }), { minLength: 3, maxLength: 8 }),
  });
  await fc.assert(
    fc.asyncProperty(cases, async ({ steps, prepareDays, ...days }) => {
      count += 1;
      const schedule: PayDays = { ...days, firstDay: '2030-01-01', lastDay: null };
      const id = await scheduled({ ...schedule, prepareDays, time: '12:00' }, [row], `Payroll number ${count}`);
      const expected: string[] = [];
      // Hours since the beginning of 2030 by the company's clock.
      let at = 0;
      for (const step of steps) {
        at += step;
        const time = new Date(Date.parse('2030-01-01T00:00:00Z') + at * 3_600_000).toISOString().slice(0, 19);
        await roundAt(time);
        const isDue = (payDay: string) => `${addDays(payDay, -prepareDays)}T12:00:00` <= time;
        const latest = payDaysFrom(schedule, '2030-01-01', 60).findLast(isDue);
        if (latest !== undefined && expected[0] !== latest) expected.unshift(latest);
      }
      expect((await get(id)).turns.map(({ payDay }) => payDay)).toEqual(expected);
      await succeed(world, removePayoutTemplate, { as: tenant.admin, params: { id } });
    }),
    { numRuns: 12 },
  );
});

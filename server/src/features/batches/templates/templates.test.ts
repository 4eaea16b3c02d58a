import { checkBatch } from '@causeway/contract/batch-runs.ts';
import { addBatch, discardBatch, getBatch, listBatches, renameBatch, uploadBatch } from '@causeway/contract/batches.ts';
import { deleteCryptoPayee } from '@causeway/contract/payees.ts';
import {
  addPayoutTemplate,
  editPayoutTemplate,
  endPayoutSchedule,
  getPayoutTemplate,
  listPayoutTemplates,
  makeTemplateBatch,
  mostPayoutTemplates,
  pausePayoutSchedule,
  removePayoutTemplate,
  schedulePayoutTemplate,
} from '@causeway/contract/payout-templates.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import { draft, problemsOf, readWhole, savedCryptoPayee } from '../../../testing/batch-drafts.ts';
import { savedTemplate, scheduleOf } from '../../../testing/batch-templates.ts';
import { testDatabase } from '../../../testing/database.ts';
import { asSuperuser } from '../../../testing/exchange-world.ts';
import { type MainApp, mainApp, type Tenant } from '../../../testing/main-app.ts';
import { succeed } from '../../../testing/succeed.ts';

let world: MainApp;
let tenant: Tenant;
let payeeId: string;
beforeAll(async () => {
  world = await mainApp(await testDatabase());
});
beforeEach(async () => {
  tenant = await world.company();
  payeeId = (await savedCryptoPayee(world, tenant.admin, 'Chan Siu Ming')).id;
});
afterAll(async () => {
  await world.close();
  await world.db.close();
});
afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

const row = { payee: 'Chan Siu Ming', asset: 'USDT', amount: '120.50' };
const refusal = async (call: Parameters<MainApp['ask']>[0], request: object) =>
  (await world.ask(call, { as: tenant.admin, ...request })).key;
const get = async (id: string) => (await succeed(world, getPayoutTemplate, { as: tenant.admin, params: { id } })).data;

describe('a template', () => {
  test('is made of a batch with its rows, and a batch of it with rows that are read again', async () => {
    const { admin: as } = tenant;
    const templateId = await savedTemplate(world, as, [row, { ...row, amount: 'x' }], 'Payroll');
    expect(await get(templateId)).toMatchObject({
      rows: 2,
      totals: [{ asset: 'USDT', amount: '120.500000', rows: 1 }],
    });
    const id = newId();
    await succeed(world, makeTemplateBatch, { as, body: { id, templateId, name: 'Payroll November' } });
    const made = await readWhole(world, as, id);
    expect(made.batch).toMatchObject({
      name: 'Payroll November',
      source: 'template',
      state: 'draft',
      isTemplate: false,
    });
    expect(made.rows.map(({ meaning }) => meaning?.amount)).toEqual(['120.500000', undefined]);
    expect(problemsOf(made)[1]).toEqual(['amount: amountFormat']);
    const copy = newId();
    await succeed(world, addPayoutTemplate, { as, body: { id: copy, name: 'Wages', note: 'Copied', fromId: id } });
    expect(await get(copy)).toMatchObject({ name: 'Wages', note: 'Copied', rows: 2 });
    expect((await draft(world, as, copy)).batch).toMatchObject({ isTemplate: true, state: 'draft' });
  });

  test('gives a payee who was removed meanwhile as an error in its cell', async () => {
    const { admin: as } = tenant;
    const templateId = await savedTemplate(world, as, [row]);
    await succeed(world, deleteCryptoPayee, { as, params: { id: payeeId } });
    const id = newId();
    await succeed(world, makeTemplateBatch, { as, body: { id, templateId, name: 'Payroll' } });
    expect(problemsOf(await readWhole(world, as, id))).toEqual([['payee: payeeUnknown']]);
  });

  test('is no batch: it is not listed, checked, renamed or discarded as one', async () => {
    const { admin: as } = tenant;
    const id = await savedTemplate(world, as, [row]);
    expect((await succeed(world, listBatches, { as })).data.items).toEqual([]);
    expect(await refusal(checkBatch, { params: { id } })).toBe('batchNotFound');
    expect(await refusal(renameBatch, { body: { id, name: 'Another' } })).toBe('batchNotFound');
    expect(await refusal(discardBatch, { params: { id } })).toBe('batchNotFound');
    const run = `insert into causeway.payout_batch_run (company_id, id, batch_id, number, digest, initiator_id, row_count, value_usd_cents)
      values ($1, $2, $2, 1, sha256('a'), $3, 1, 0)`;
    await expect(asSuperuser(world.db, run, [tenant.id, id, as.session.userId])).rejects.toThrow(
      'a template is not submitted',
    );
  });

  test('has a name that no other could be taken for', async () => {
    const { admin: as } = tenant;
    const id = await savedTemplate(world, as, [], 'Payroll');
    const body = { id: newId(), name: 'Pаyroll', note: '', fromId: null };
    expect(await refusal(addPayoutTemplate, { body })).toBe('payoutTemplateNameTaken');
    const other = await savedTemplate(world, as, [], 'Wages');
    expect(await refusal(editPayoutTemplate, { body: { id: other, name: 'PAYROLL', note: '' } })).toBe(
      'payoutTemplateNameTaken',
    );
    await succeed(world, editPayoutTemplate, { as, body: { id, name: 'payroll', note: 'Monthly' } });
    expect(await get(id)).toMatchObject({ name: 'payroll', note: 'Monthly' });
  });

  test('is one of at most a hundred, which requests at the same time do not exceed', async () => {
    const { admin: as } = tenant;
    await savedTemplate(world, as, [], 'Payroll');
    await asSuperuser(
      world.db,
      `insert into causeway.payout_batch (company_id, id, name, source, is_template, created_by)
       select $1, gen_random_uuid(), 'Template ' || n, 'template', true, $2 from generate_series(1, ${mostPayoutTemplates - 2}) n`,
      [tenant.id, as.session.userId],
    );
    const asked = ['Alpha', 'Beta', 'Gamma'].map((name) =>
      world.ask(addPayoutTemplate, { as, body: { id: newId(), name, note: '', fromId: null } }),
    );
    const errors = (await Promise.all(asked)).map(({ key }) => key ?? 'made');
    expect(errors.toSorted()).toEqual(['made', 'tooManyPayoutTemplates', 'tooManyPayoutTemplates']);
  });

  test('is not made of what is no batch or has no columns yet, nor under an id that is taken', async () => {
    const { admin: as } = tenant;
    const body = { id: newId(), name: 'Payroll', note: '', fromId: newId() };
    expect(await refusal(addPayoutTemplate, { body })).toBe('batchNotFound');
    const batchId = newId();
    await succeed(world, addBatch, { as, body: { id: batchId, name: 'Batch' } });
    expect(await refusal(addPayoutTemplate, { body: { ...body, id: batchId, fromId: null } })).toBe('idTaken');
    const upload = { name: 'a.csv', content: Buffer.from('who,how much\nA,1\n') };
    const { id: fromId } = (await succeed(world, uploadBatch, { as, upload })).data;
    expect(await refusal(addPayoutTemplate, { body: { ...body, fromId } })).toBe('batchUnmapped');
  });

  test('makes no batch while it is empty, and none after it was deleted, with its schedule', async () => {
    const { admin: as } = tenant;
    const templateId = await savedTemplate(world, as, []);
    const body = { id: newId(), templateId, name: 'Payroll' };
    expect(await refusal(makeTemplateBatch, { body })).toBe('payoutTemplateEmpty');
    await succeed(world, schedulePayoutTemplate, { as, body: scheduleOf(templateId, as) });
    await succeed(world, removePayoutTemplate, { as, params: { id: templateId } });
    expect(await refusal(makeTemplateBatch, { body })).toBe('payoutTemplateNotFound');
    expect(await refusal(getBatch, { params: { id: templateId } })).toBe('batchNotFound');
    expect((await succeed(world, listPayoutTemplates, { as })).data.items).toEqual([]);
  });
});

describe('a schedule', () => {
  test('names its next turn by the company’s clock, is paused, resumed and ended', async () => {
    const { admin: as } = tenant;
    const id = await savedTemplate(world, as, [row]);
    const { data } = await succeed(world, schedulePayoutTemplate, { as, body: scheduleOf(id, as) });
    // 25 January 2030 is a Friday; the company is in Hong Kong.
    expect(data).toEqual({ payDay: '2030-01-25', nextAt: '2030-01-22T01:00:00.000Z' });
    const timeZone = 'Asia/Hong_Kong';
    expect(await get(id)).toMatchObject({
      timeZone,
      schedule: { state: 'running', next: { payDay: '2030-01-25' }, timeZone },
    });
    await succeed(world, pausePayoutSchedule, { as, body: { id, isPaused: true } });
    expect((await get(id)).schedule).toMatchObject({ state: 'paused', next: null });
    await succeed(world, pausePayoutSchedule, { as, body: { id, isPaused: false } });
    expect((await get(id)).schedule).toMatchObject({ state: 'running', next: { payDay: '2030-01-25' } });
    await succeed(world, endPayoutSchedule, { as, body: { id } });
    expect((await get(id)).schedule).toMatchObject({ state: 'ended', next: null });
    expect(await refusal(endPayoutSchedule, { body: { id } })).toBe('payoutScheduleEnded');
    expect(await refusal(pausePayoutSchedule, { body: { id, isPaused: true } })).toBe('payoutScheduleEnded');
  });

  test('that is paused stays so where no pay day follows, and pausing it again is no event', async () => {
    const { admin: as } = tenant;
    const id = await savedTemplate(world, as, [row]);
    await succeed(world, schedulePayoutTemplate, { as, body: scheduleOf(id, as) });
    await succeed(world, pausePayoutSchedule, { as, body: { id, isPaused: true } });
    await succeed(world, pausePayoutSchedule, { as, body: { id, isPaused: true } });
    const { rows } = await world.db.app.withCompany(tenant.id, (tx) =>
      sql`select from audit_event where company_id = company_id() and action = 'batches.pauseSchedule'`.execute(tx),
    );
    expect(rows).toHaveLength(1);
    // Its last day went by while it was paused.
    await asSuperuser(
      world.db,
      `update causeway.payout_schedule set first_day = '2020-01-01', last_day = '2020-12-31' where company_id = $1`,
      [tenant.id],
    );
    expect(await refusal(pausePayoutSchedule, { body: { id, isPaused: false } })).toBe('payoutScheduleOver');
    expect((await get(id)).schedule).toMatchObject({ state: 'paused', next: null });
  });

  test('has a pay day before its last day, a day of its period, and an initiator who may pay', async () => {
    const { admin: as } = tenant;
    const id = await savedTemplate(world, as, [row]);
    const change = async (changed: Record<string, unknown>) =>
      refusal(schedulePayoutTemplate, { body: scheduleOf(id, as, changed) });
    expect(await change({ lastDay: '2030-01-20' })).toBe('payoutScheduleOver');
    expect(await change({ lastDay: '2029-01-20' })).toBe('payoutScheduleOver');
    expect(await change({ every: 'week', day: 8 })).toBe('validationFailed');
    const viewer = await world.member(tenant, 'viewer');
    expect(await change({ initiatorId: viewer.session.userId })).toBe('payoutInitiatorInvalid');
    expect((await get(id)).schedule).toBeNull();
  });
});

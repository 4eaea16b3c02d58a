import { batchNameMaxLength, batchPartRows } from '@causeway/contract/batches-rules.ts';
import { payDaysFrom } from '@causeway/contract/payout-templates-rules.ts';
import { audit } from '../../../platform/audit/record.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database, Tx } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { findRestoreMode } from '../../../platform/database/restore-mode.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { type Loop, startLoop } from '../../../platform/jobs/loop.ts';
import type { Log } from '../../../platform/process/log.ts';
import type { ChainFamilies } from '../../chains/index.ts';
import { notify } from '../../notices/index.ts';
import { findPeople } from '../../organisation/index.ts';
import { markDuplicates } from '../drafts/duplicates.ts';
import { giveMeaning } from '../drafts/read.ts';
import { findWritten, raiseVersion } from '../store/drafts.ts';
import { nextOf } from './schedule.ts';
import {
  copyRows,
  countWrong,
  type Due,
  duesOf,
  findDueSchedules,
  findTemplates,
  insertBatchOf,
  insertTurn,
  isCompanyFrozen,
  lockDue,
  type ScheduleRow,
  setNext,
  type TemplateRow,
} from './store.ts';

/**
 * Turns of schedules (docs/adr/0098-…): each makes a batch from its template and reads it; its initiator then submits it with a code. The lock
 * of the schedule's row, and the turn's own row, let one process take a turn once.
 */

const everyMs = 5000;
const pageSize = 50;
/** Pay days that are looked at for those missed while no process ran: ten years of weeks. */
const mostMissed = 520;

export interface TemplateTurns {
  database: Database;
  families: ChainFamilies;
  clock: Clock;
  log: Log;
}

export function startTemplateTurns(turns: TemplateTurns): Loop {
  return startLoop({
    name: 'batches.templateTurns',
    everyMs,
    log: turns.log,
    alone: { database: turns.database, lock: 'batches.templateTurns' },
    step: (signal) => takeDueTurns(turns, signal),
  });
}

/** One round over the schedules that are due; one that fails keeps no others from their turn, and is tried again in the next round. */
export async function takeDueTurns(turns: TemplateTurns, signal?: AbortSignal): Promise<void> {
  const { database, clock, log } = turns;
  const now = clock.now();
  const due = await database.withoutCompany((tx) => findDueSchedules(tx, now, pageSize));
  for (const { companyId, templateId } of due) {
    if (signal?.aborted) return;
    await database
      .withCompany(companyId, (tx) => takeTurn(tx, turns, templateId, now))
      .catch((error: unknown) =>
        log.warn({ err: error, companyId, template: templateId }, 'a turn of a template failed'),
      );
  }
}

async function takeTurn(tx: Tx, { families }: TemplateTurns, templateId: string, now: Date): Promise<void> {
  if (await findRestoreMode(tx)) return;
  const schedule = await lockDue(tx, templateId, now);
  if (!schedule?.nextPayDay) return;
  const due = await latestDue(tx, schedule, schedule.nextPayDay, now);
  const [template] = await findTemplates(tx, templateId);
  invariant(template, 'a deleted template has no next turn');
  const [initiator] = await findPeople(tx, [schedule.initiatorId]);
  const error = (await isCompanyFrozen(tx))
    ? 'companyFrozen'
    : !initiator?.permissions.includes('transfer.create')
      ? 'payoutInitiatorInvalid'
      : template.rows === 0
        ? 'payoutTemplateEmpty'
        : null;
  const batchId = error === null ? await makeBatch(tx, families, { template, schedule, due }) : null;
  await insertTurn(tx, templateId, due, { at: now, batchId, error });
  const next = await nextOf(tx, schedule, now);
  await setNext(tx, templateId, next, next === null);
  if (error !== null) await notifyRefused(tx, template, due, error);
  await announce(tx, [live('batch', templateId)]);
}

/** Of the turns that are due the latest: those that were missed before it are left out. */
async function latestDue(tx: Tx, schedule: ScheduleRow, from: string, now: Date): Promise<Due> {
  const dues = await duesOf(tx, schedule, payDaysFrom(schedule, from, mostMissed));
  const due = dues.findLast(({ at, isTaken }) => at <= now && !isTaken);
  invariant(due, 'a schedule is due by its next turn');
  return due;
}

/** A batch for a pay day, read against the payees and wallets of now. @returns its id */
async function makeBatch(
  tx: Tx,
  families: ChainFamilies,
  { template, schedule, due }: { template: TemplateRow; schedule: ScheduleRow; due: Due },
): Promise<string> {
  const id = newId();
  const name = nameFor(template.name, due.payDay);
  const { initiatorId: createdBy } = schedule;
  await insertBatchOf(tx, { id, name, templateId: template.id, payDay: due.payDay, createdBy });
  await copyRows(tx, template.id, id);
  let readTo = 0;
  for (let rows = await findWritten(tx, id, readTo, batchPartRows); rows.length > 0; ) {
    await giveMeaning(tx, { families }, id, rows);
    readTo = rows.at(-1)?.number ?? readTo;
    rows = await findWritten(tx, id, readTo, batchPartRows);
  }
  await markDuplicates(tx, id);
  await raiseVersion(tx, id, readTo);
  await audit(tx, {
    actor: { kind: 'system', id: 'batches' },
    action: 'batches.add',
    subjectKind: 'batch',
    subjectId: id,
    detail: { name, template: template.name },
  });
  const wrong = await countWrong(tx, id);
  await notify(tx, {
    kind: wrong === 0 ? 'batchReady' : 'batchReadyWrong',
    sourceId: id,
    values: { name, payDay: { day: due.payDay }, count: template.rows, wrong },
    link: `/app/storm/${id}`,
    to: [createdBy],
  });
  await announce(tx, [live('batch', id)]);
  return id;
}

/** The template's name, cut where there is no room for the day. */
function nameFor(name: string, payDay: string): string {
  const most = batchNameMaxLength - payDay.length - 1;
  return `${name.slice(0, most).toWellFormed().trim()} ${payDay}`;
}

async function notifyRefused(tx: Tx, template: TemplateRow, { payDay }: Due, error: string): Promise<void> {
  const people = await findPeople(tx);
  await notify(tx, {
    kind: 'batchTurnRefused',
    sourceId: newId(),
    values: { name: template.name, payDay: { day: payDay }, why: { text: `error.${error}` } },
    link: `/app/storm/templates/${template.id}`,
    to: people.filter(({ permissions }) => permissions.includes('transfer.create')).map(({ id }) => id),
  });
}

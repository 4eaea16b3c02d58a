import type { Body, OutputInput } from '@causeway/contract/call.ts';
import {
  addDays,
  type endPayoutSchedule,
  type pausePayoutSchedule,
  payDaysFrom,
  type schedulePayoutTemplate,
} from '@causeway/contract/payout-templates.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import type { SignedInContext } from '../../../platform/session.ts';
import { findCompanySettings, findPeople } from '../../organisation/index.ts';
import { record, templateOf } from './service.ts';
import {
  type Due,
  dayIn,
  duesOf,
  findSchedules,
  lockTemplates,
  type NewSchedule,
  type ScheduleRow,
  setNext,
  writeSchedule,
} from './store.ts';

/** @throws DomainError memberNotFound, payoutInitiatorInvalid, payoutScheduleOver, payoutTemplateNotFound, validationFailed */
export async function schedule(
  tx: Tx,
  context: SignedInContext,
  { id, ...timing }: Body<typeof schedulePayoutTemplate>,
): Promise<OutputInput<typeof schedulePayoutTemplate>> {
  await lockTemplates(tx);
  const { name } = await templateOf(tx, id);
  if (timing.every === 'week' && timing.day > 7) {
    throw new DomainError('validationFailed', {}, { day: 'field.day' });
  }
  if (timing.lastDay !== null && timing.lastDay < timing.firstDay) throw new DomainError('payoutScheduleOver');
  const [member] = await findPeople(tx, [timing.initiatorId]);
  if (!member) throw new DomainError('memberNotFound');
  if (!member.permissions.includes('transfer.create')) throw new DomainError('payoutInitiatorInvalid');
  const { timeZone } = await findCompanySettings(tx);
  const made: NewSchedule = { ...timing, templateId: id, timeZone };
  const next = await nextOf(tx, made, context.clock.now());
  if (!next) throw new DomainError('payoutScheduleOver');
  await writeSchedule(tx, made, next);
  await record(tx, context, 'batches.schedule', id, { name, payDay: next.payDay });
  return { nextAt: next.at.toISOString(), payDay: next.payDay };
}

/** @throws DomainError payoutScheduleEnded, payoutScheduleOver, payoutTemplateNotFound */
export async function pause(
  tx: Tx,
  context: SignedInContext,
  { id, isPaused }: Body<typeof pausePayoutSchedule>,
): Promise<void> {
  const { name, schedule: found } = await running(tx, id);
  if (isPaused === (found.nextAt === null)) return;
  const next = isPaused ? null : await nextOf(tx, found, context.clock.now());
  if (!isPaused && !next) throw new DomainError('payoutScheduleOver');
  await setNext(tx, id, next, false);
  await record(tx, context, isPaused ? 'batches.pauseSchedule' : 'batches.resumeSchedule', id, { name });
}

/** @throws DomainError payoutScheduleEnded, payoutTemplateNotFound */
export async function end(tx: Tx, context: SignedInContext, { id }: Body<typeof endPayoutSchedule>): Promise<void> {
  const { name } = await running(tx, id);
  await setNext(tx, id, null, true);
  await record(tx, context, 'batches.endSchedule', id, { name });
}

/** A schedule that has not ended, behind the lock. @throws DomainError payoutScheduleEnded, payoutTemplateNotFound */
async function running(tx: Tx, id: string): Promise<{ name: string; schedule: ScheduleRow }> {
  await lockTemplates(tx);
  const { name } = await templateOf(tx, id);
  const [found] = await findSchedules(tx, id);
  if (!found || found.endedAt !== null) throw new DomainError('payoutScheduleEnded');
  return { name, schedule: found };
}

/** So many pay days are looked at for the next turn: those that were changed back may have had theirs. */
const candidates = 12;

/** The first turn after an instant; null where the last day is over. */
export async function nextOf(tx: Tx, of: NewSchedule, after: Date): Promise<Due | null> {
  const today = await dayIn(tx, of.timeZone, after);
  const dues = await duesOf(tx, of, payDaysFrom(of, addDays(today, of.prepareDays), candidates));
  return dues.find(({ at, isTaken }) => at > after && !isTaken) ?? null;
}

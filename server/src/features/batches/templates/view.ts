import type { OutputInput, Params } from '@causeway/contract/call.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import type {
  getPayoutTemplate,
  listPayoutTemplates,
  PayoutSchedule,
  PayoutTemplate,
  PayoutTurn,
} from '@causeway/contract/payout-templates.ts';
import type { Tx } from '../../../platform/database/database.ts';
import type { SignedInContext } from '../../../platform/session.ts';
import { translate } from '../../../platform/text/texts.ts';
import { findCompanySettings } from '../../organisation/index.ts';
import { totalsOf } from '../drafts/view.ts';
import { sumsOf, type WalletSum } from '../store/rows.ts';
import { templateOf } from './service.ts';
import {
  findReady,
  findSchedules,
  findTemplates,
  findTurns,
  type ScheduleRow,
  type TemplateRow,
  type TurnRow,
} from './store.ts';

/** So many turns of a template are shown. */
const shownTurns = 24;

export async function list(tx: Tx, { locale }: SignedInContext): Promise<OutputInput<typeof listPayoutTemplates>> {
  const templates = await findTemplates(tx);
  const sums = await sumsOf(
    tx,
    templates.map(({ id }) => id),
  );
  const schedules = await findSchedules(tx);
  const turns = await findTurns(tx, 1);
  return {
    items: templates.map((template) =>
      shown(
        template,
        {
          sums: sums.filter(({ batchId }) => batchId === template.id),
          schedule: schedules.find(({ templateId }) => templateId === template.id),
          last: turns.find(({ templateId }) => templateId === template.id),
        },
        locale,
      ),
    ),
    ready: (await findReady(tx)).flatMap(({ batch, payDay }) =>
      batch === null ? [] : [{ ...pick(batch), payDay, initiatorId: batch.initiatorId, rows: batch.rows }],
    ),
  };
}

function pick({ id, name, wrong }: NonNullable<TurnRow['batch']>) {
  return { batchId: id, name, wrong };
}

/** @throws DomainError payoutTemplateNotFound */
export async function get(
  tx: Tx,
  { locale }: SignedInContext,
  { id }: Params<typeof getPayoutTemplate>,
): Promise<OutputInput<typeof getPayoutTemplate>> {
  const template = await templateOf(tx, id);
  const [schedule] = await findSchedules(tx, id);
  const turns = await findTurns(tx, shownTurns, id);
  const parts = { sums: await sumsOf(tx, [id]), schedule, last: turns[0] };
  const { timeZone } = await findCompanySettings(tx);
  return { ...shown(template, parts, locale), timeZone, turns: turns.map((turn) => shownTurn(turn, locale)) };
}

function shown(
  template: TemplateRow,
  parts: { sums: readonly WalletSum[]; schedule: ScheduleRow | undefined; last: TurnRow | undefined },
  locale: Locale,
): PayoutTemplate {
  const { id, name, note, rows, createdAt, createdBy, createdByName } = template;
  return {
    id,
    name,
    note,
    rows,
    createdAt: createdAt.toISOString(),
    createdBy: { id: createdBy, name: createdByName },
    totals: totalsOf(parts.sums),
    schedule: parts.schedule ? shownSchedule(parts.schedule) : null,
    lastTurn: parts.last ? shownTurn(parts.last, locale) : null,
  };
}

function shownSchedule(schedule: ScheduleRow): PayoutSchedule {
  const { every, day, weekend, time, timeZone, prepareDays, firstDay, lastDay, nextPayDay, nextAt, endedAt } = schedule;
  return {
    ...{ every, day, weekend, time, timeZone, prepareDays, firstDay, lastDay },
    initiator: { id: schedule.initiatorId, name: schedule.initiatorName },
    state: endedAt !== null ? 'ended' : nextAt === null ? 'paused' : 'running',
    next: nextPayDay === null || nextAt === null ? null : { payDay: nextPayDay, at: nextAt.toISOString() },
  };
}

function shownTurn({ payDay, at, outcome, error, batch }: TurnRow, locale: Locale): PayoutTurn {
  return {
    payDay,
    at: at.toISOString(),
    outcome,
    sentence: error === null ? null : translate(locale, `error.${error}`),
    batch: batch && { id: batch.id, name: batch.name, isSubmitted: batch.isSubmitted, wrong: batch.wrong },
  };
}

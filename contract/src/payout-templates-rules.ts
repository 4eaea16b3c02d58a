/** Templates of batches and when they repeat, without a schema library (docs/adr/0098-…). Days are calendar days, YYYY-MM-DD, of the company. */

export const mostPayoutTemplates = 100;
export const payoutNoteMaxLength = 500;
/** A turn can be prepared so many days before its pay day. */
export const mostPrepareDays = 10;

export const schedulePeriods = ['week', 'month'] as const;
export type SchedulePeriod = (typeof schedulePeriods)[number];

/** What happens to a pay day on a Saturday or Sunday: it stays, or moves to the working day before or after. */
export const weekendRules = ['stay', 'before', 'after'] as const;
export type WeekendRule = (typeof weekendRules)[number];

/** `running`: has a next turn. `paused`: until it is resumed. `ended`: has no further turn until it is scheduled again. */
export const scheduleStates = ['running', 'paused', 'ended'] as const;
export type ScheduleState = (typeof scheduleStates)[number];

export const payoutTurnOutcomes = ['made', 'refused'] as const;
export type PayoutTurnOutcome = (typeof payoutTurnOutcomes)[number];

/** When a schedule pays. */
export interface PayDays {
  every: SchedulePeriod;
  /** Of the week (1: Monday), or of the month, of which a shorter month has its last. */
  day: number;
  weekend: WeekendRule;
  firstDay: string;
  lastDay: string | null;
}

const dayMs = 24 * 60 * 60 * 1000;

/** The first pay days on or after a day, at most `count`, in order. First and last day bound the days on which is paid, weekends considered. */
export function payDaysFrom(schedule: PayDays, from: string, count: number): string[] {
  const { firstDay, lastDay } = schedule;
  const least = firstDay > from ? firstDay : from;
  const found: string[] = [];
  // A weekend moves a day by two at most, so one that is due before may be paid on `least` or later.
  for (let nominal = firstNominal(schedule, addDays(least, -2)); found.length < count; ) {
    const day = offWeekend(nominal, schedule.weekend);
    if (lastDay !== null && day > lastDay) break;
    if (day >= least) found.push(day);
    nominal = firstNominal(schedule, addDays(nominal, 1));
  }
  return found;
}

export function addDays(day: string, days: number): string {
  return dayOf(new Date(Date.parse(day) + days * dayMs));
}

/** The first day on or after `from` that the schedule names, whatever the day of the week. */
function firstNominal({ every, day }: PayDays, from: string): string {
  if (every === 'week') return addDays(from, (day - weekdayOf(from) + 7) % 7);
  const at = new Date(from);
  const inMonth = (month: number) => {
    const last = new Date(Date.UTC(at.getUTCFullYear(), month + 1, 0)).getUTCDate();
    return dayOf(new Date(Date.UTC(at.getUTCFullYear(), month, Math.min(day, last))));
  };
  const same = inMonth(at.getUTCMonth());
  return same >= from ? same : inMonth(at.getUTCMonth() + 1);
}

function offWeekend(day: string, rule: WeekendRule): string {
  const beyondFriday = weekdayOf(day) - 5;
  if (beyondFriday <= 0 || rule === 'stay') return day;
  return addDays(day, rule === 'before' ? -beyondFriday : 3 - beyondFriday);
}

/** 1: Monday, as in ISO 8601. */
function weekdayOf(day: string): number {
  return new Date(day).getUTCDay() || 7;
}

function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}

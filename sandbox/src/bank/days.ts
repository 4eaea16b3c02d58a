import { atTime, DAY_MS, dateAt, dayAfter, isWorkingDay, OPENS_AT, stampAt, workingDayFrom } from './calendar.ts';
import { addFile, padded, settingsOf, type Turn } from './ledger.ts';
import type { Statement } from './model.ts';
import type { Reader } from './store.ts';

/** The bank's clock and the end of its days. */

export function clockOf(records: Reader): { offsetMs: number; closedThrough: string } {
  return records.get('clock', 'now') ?? { offsetMs: 0, closedThrough: '' };
}

/**
 * Sets the clock at the first start: nine o'clock of today, or of the last working day, so that a payment of the same day leaves
 * whatever the hour on this machine; never ahead of this machine. From then on it runs.
 */
export function setFirstClock(turn: Turn, machine_ms: number): void {
  if (turn.get('clock', 'now') !== undefined) return;
  let day = dateAt(machine_ms);
  while (!isWorkingDay(day)) day = dateAt(atTime(day, OPENS_AT) - DAY_MS);
  turn.put('clock', 'now', {
    offsetMs: Math.min(atTime(day, OPENS_AT) - machine_ms, 0),
    closedThrough: dateAt(atTime(day, OPENS_AT) - DAY_MS),
  });
}

/** Pushes the clock to nine o'clock of the next day or the next working day. It never goes back. */
export function pushClock(turn: Turn, machine_ms: number, to: 'day' | 'workingDay'): void {
  const next = dayAfter(dateAt(turn.now));
  const day = to === 'day' ? next : workingDayFrom(next);
  turn.put('clock', 'now', { ...clockOf(turn), offsetMs: atTime(day, OPENS_AT) - machine_ms });
}

/**
 * Closes each day before today that is not closed: one statement for each of the customer's accounts, of every working day.
 *
 * @returns the days closed
 */
export function closeDays(turn: Turn): string[] {
  const today = dateAt(turn.now);
  const clock = clockOf(turn);
  const closed: string[] = [];
  const { skipStatements } = settingsOf(turn);
  for (let day = dayAfter(clock.closedThrough); day < today; day = dayAfter(day)) {
    if (isWorkingDay(day)) closeDay(turn, day, skipStatements && !closed.some(isWorkingDay));
    closed.push(day);
  }
  const last = closed.at(-1);
  if (last === undefined) return [];
  turn.put('clock', 'now', { ...clock, closedThrough: last });
  if (skipStatements && closed.some(isWorkingDay))
    turn.put('settings', 'now', { ...settingsOf(turn), skipStatements: false });
  return closed;
}

function closeDay(turn: Turn, date: string, isKeptBack: boolean): void {
  const bookings = turn.all('bookings').filter((booking) => booking.bookingDate === date);
  for (const account of turn.all('accounts')) {
    if (account.kind !== 'customer') continue;
    const entries = bookings.filter((booking) => booking.account === account.number);
    const closing = entries.reduce((sum, { amount }) => sum + BigInt(amount), BigInt(account.closing));
    const statement: Statement = {
      id: `${account.number}-${date}`,
      account: account.number,
      date,
      number: account.statements + 1,
      opening: account.closing,
      closing: String(closing),
      bookings: entries.map(({ id }) => id),
    };
    turn.put('statements', statement.id, statement);
    turn.put('accounts', account.number, { ...account, statements: statement.number, closing: statement.closing });
    if (account.bank !== 'harbour') continue;
    addFile(
      turn,
      `camt.053_${account.number}_${date}_${padded(statement.number, 6)}.xml`,
      { kind: 'statement', statement: statement.id },
      isKeptBack ? 'missed' : 'due',
    );
  }
}

/** What the desk shows of the clock. */
export function shownClock(
  records: Reader,
  now: number,
): { now: string; date: string; isWorkingDay: boolean; closedThrough: string } {
  const date = dateAt(now);
  return { now: stampAt(now), date, isWorkingDay: isWorkingDay(date), closedThrough: clockOf(records).closedThrough };
}

import { defaultTolerance } from '@causeway/contract/exchange-rules.ts';
import type { CodeMethod } from '@causeway/contract/identity.ts';
import { parseAmount } from '@causeway/contract/money.ts';
import type { StandingContent } from '@causeway/contract/standing-orders.ts';
import type { StandingPeriod, StandingRule } from '@causeway/contract/standing-orders-rules.ts';
import type { Checked, FieldProblem } from '../../ui/form-state.ts';
import { plain } from '../transfers/index.ts';
import type { ExchangeWallet } from './exchange-values.ts';

/** The values of the form of a standing order. */
export interface StandingValues {
  /** The order's own id, chosen here, so that the same form sent twice is one order. */
  id: string;
  sellWalletId: string;
  buyWalletId: string;
  rule: StandingRule;
  amount: string;
  every: StandingPeriod;
  /** Of the week, and of the month, as text. */
  weekday: string;
  monthday: string;
  time: string;
  /** Basis points, as text. */
  tolerance: string;
  /** Empty: until it is stopped. */
  lastDay: string;
  codeMethod: CodeMethod;
  code: string;
}

export function emptyStanding(id: string): StandingValues {
  return {
    id,
    sellWalletId: '',
    buyWalletId: '',
    rule: 'amount',
    amount: '',
    every: 'week',
    weekday: '1',
    monthday: '1',
    time: '09:00',
    tolerance: String(defaultTolerance),
    lastDay: '',
    codeMethod: 'email',
    code: '',
  };
}

/** What the form makes of its values. */
export interface ReadyStanding {
  content: StandingContent;
  codeMethod: CodeMethod;
  code: string;
}

/** Checks the form before it is sent. */
export function checkStanding(values: StandingValues, sold: ExchangeWallet | undefined): Checked<ReadyStanding> {
  const checked = checkStandingContent(values, sold);
  const problems: FieldProblem[] = checked.ok ? [] : [...checked.problems];
  if (!/^\d{6}$/.test(values.code)) problems.push({ path: ['code'], message: 'field.code' });
  return checked.ok && problems.length === 0 ? checked : { ok: false, problems };
}

/** The same of what a code is asked for. */
export function checkStandingContent(values: StandingValues, sold: ExchangeWallet | undefined): Checked<ReadyStanding> {
  const problems: FieldProblem[] = [];
  const refuse = (field: keyof StandingValues, message: string) => problems.push({ path: [field], message });
  const { id, sellWalletId, buyWalletId, rule, amount, every, time, codeMethod, code } = values;
  if (sellWalletId === '') refuse('sellWalletId', 'field.required');
  if (buyWalletId === '') refuse('buyWalletId', 'field.required');
  else if (buyWalletId === sellWalletId) refuse('buyWalletId', 'exchanges.standing.otherWallet');
  const read = parseAmount(plain(amount), sold?.decimals ?? 18);
  if (amount === '' || !read.ok || (rule === 'amount' && read.minor === 0n)) refuse('amount', 'field.required');
  if (!/^\d{2}:\d{2}$/.test(time)) refuse('time', 'field.required');
  if (problems.length > 0) return { ok: false, problems };
  const day = { day: 0, week: Number(values.weekday), month: Number(values.monthday) }[every];
  const content: StandingContent = {
    ...{ id, sellWalletId, buyWalletId, rule, amount: plain(amount), every, day, time },
    tolerance: Number(values.tolerance),
    lastDay: values.lastDay === '' ? null : values.lastDay,
  };
  return { ok: true, values: { content, codeMethod, code } };
}

/** What a code by email is bound to, as one text. */
export function standingBoundTo(content: StandingContent): string {
  return JSON.stringify(content);
}

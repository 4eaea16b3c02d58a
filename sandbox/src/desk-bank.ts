/**
 * The bank's part of the desk's API (see desk-api.ts). Amounts are plain decimal texts in whole units. The lists are the bank's own
 * books: what tests judge the product by.
 *
 * GET  /api/bank                                        { clock, accounts, settings, sftp, api }
 * GET  /api/bank/bookings?account=&limit=               newest first
 * GET  /api/bank/payments?endToEndId=&uetr=&state=&limit=   payments of the customer's, newest first
 * GET  /api/bank/payments/:id
 * GET  /api/bank/statements?account=                    { date, number, opening, closing, bookings }, oldest first
 * GET  /api/bank/files?limit=                           files for the customer, newest first
 * GET  /api/bank/files/:name                            { name, content }
 * GET  /api/bank/received                               files of the customer's that were taken, newest first
 * GET  /api/bank/global-accounts                        of the HTTP bank
 * GET  /api/bank/deposits                               of the HTTP bank, newest first
 * GET  /api/bank/events                                 events for the webhook, newest first
 * GET  /api/bank/payees                                 holders that the bank knows
 * POST /api/bank/pay-in    { bank, to, currency, amount, payer: { name, account?, bic?, country? }, reference?, text?, garble?, status? }
 *                          garble: no | spaced | broken; status (HTTP bank): PENDING | SETTLED → { booking } or { deposit }
 * POST /api/bank/batch     { bank, payIns: [as above], details: with | notification | without } → { booking }
 * POST /api/bank/fee       { bank, currency, amount, text, creditor?, endToEndId? } → { booking }   with a creditor: a direct debit
 * POST /api/bank/bookings/:id   { act: reverse, reason? } → { booking }
 * POST /api/bank/payouts   { mode: settle | accept | delay | refuse, reason? }  for payments that arrive from now on
 * POST /api/bank/payments/:id   { act: settle | refuse | delay | return, reason? } → the payment
 * POST /api/bank/deposits/:id   { act: settle | reject | reverse }
 * POST /api/bank/statements     { skipNext: boolean }   keeps the statements of the next day back; each can be sent as a file later
 * POST /api/bank/files/:name    { act: again | copy | half } → { name }  again also sends a file that was kept back
 * POST /api/bank/clock     { to: day | workingDay } → the clock
 * POST /api/bank/sftp      { mode?: ok | down | slow | full | cutting, delayMs?, hostKey?: usual | other }
 * POST /api/bank/api       { mode: ok | down | slow | mute | half | failing, delayMs? }
 * POST /api/bank/webhook   { url?, mode?: on | held, order?: usual | reversed }  `on` delivers what was held, in this order
 * POST /api/bank/events/:id     { act: again | forge | lose } → { status }
 * POST /api/bank/payees    { account, name, state: open | closed }
 */
import * as z from 'zod/mini';
import { createDeposit, rejectDeposit, reverseDeposit, settleDeposit } from './bank/api-deposits.ts';
import { ApiError } from './bank/api-json.ts';
import { API_MODES } from './bank/api-server.ts';
import type { Bank } from './bank/bank.ts';
import { amountText, BANK_IDS, BankRefusal } from './bank/catalogue.ts';
import { shownClock } from './bank/days.ts';
import { available, settingsOf, type Turn } from './bank/ledger.ts';
import { BATCH_DETAILS, type Booking, PAYOUT_MODES, type Payment } from './bank/model.ts';
import { announce } from './bank/outcomes.ts';
import { bookFee, GARBLES, garbled, type PayIn, payIn, payInBatch, reverseBooking } from './bank/pay-ins.ts';
import { delayPayment, reasonOf, refusePayment, returnPayment, settlePayment } from './bank/payments.ts';
import { HOST_KEYS, SFTP_MODES } from './bank/sftp-modes.ts';
import { DeskError, type DeskRequest, notFound, read } from './desk-call.ts';

const bankId = z.enum(BANK_IDS);
const amount = z.string().check(z.regex(/^\d{1,15}(\.\d{1,4})?$/, 'not an amount'));
const currency = z.string().check(z.regex(/^[A-Z]{3}$/, 'not a currency'));
const words = (most: number) => z.string().check(z.maxLength(most));
const some = <Schema extends z.ZodMiniType>(schema: Schema) => z.optional(schema);
const reason = some(z.string().check(z.regex(/^[A-Z0-9]{4}$/, 'not a reason code')));
const delayMs = some(z.int().check(z.gte(0), z.lte(600_000)));

const payInBody = z.object({
  bank: bankId,
  to: z.string().check(z.regex(/^[\w-]{4,40}$/, 'not an account number')),
  currency,
  amount,
  payer: z.object({
    name: z.string().check(z.minLength(1), z.maxLength(140)),
    account: some(z.string().check(z.regex(/^[A-Za-z0-9]{1,34}$/, 'not an account number'))),
    bic: some(z.string().check(z.regex(/^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/, 'not a BIC'))),
    country: some(z.string().check(z.regex(/^[A-Z]{2}$/, 'not a country'))),
  }),
  reference: some(words(35)),
  text: some(words(140)),
  garble: some(z.enum(GARBLES)),
  status: some(z.enum(['PENDING', 'SETTLED'])),
});
const batchBody = z.object({
  payIns: z.array(payInBody).check(z.minLength(1), z.maxLength(1000)),
  details: z.enum(BATCH_DETAILS),
});
const feeBody = z.object({
  ...{ bank: bankId, currency, amount, text: words(140) },
  ...{ creditor: some(words(140).check(z.minLength(1))), endToEndId: some(words(35)) },
});
const reverseBody = z.object({ act: z.enum(['reverse']), reason });
const payoutsBody = z.object({ mode: z.enum(PAYOUT_MODES), reason });
const paymentBody = z.object({ act: z.enum(['settle', 'refuse', 'delay', 'return']), reason });
const depositBody = z.object({ act: z.enum(['settle', 'reject', 'reverse']) });
const statementsBody = z.object({ skipNext: z.boolean() });
const fileBody = z.object({ act: z.enum(['again', 'copy', 'half']) });
const clockBody = z.object({ to: z.enum(['day', 'workingDay']) });
const sftpBody = z.object({ mode: some(z.enum(SFTP_MODES)), hostKey: some(z.enum(HOST_KEYS)), delayMs });
const apiBody = z.object({ mode: z.enum(API_MODES), delayMs });
const webhookBody = z.object({
  url: some(z.string().check(z.regex(/^(https?:\/\/.{1,500})?$/, 'not a URL'))),
  mode: some(z.enum(['on', 'held'])),
  order: some(z.enum(['usual', 'reversed'])),
});
const eventBody = z.object({ act: z.enum(['again', 'forge', 'lose']) });
const payeeBody = z.object({
  account: z.string().check(z.regex(/^[\w.+@-]{1,64}$/, 'not an account number')),
  name: z.string().check(z.minLength(1), z.maxLength(140)),
  state: z.enum(['open', 'closed']),
});

type Route = (parts: { bank: Bank }, request: DeskRequest, argument: string) => unknown;

export const BANK_ROUTES: Readonly<Record<string, Route>> = {
  'GET /api/bank': ({ bank }) => overview(bank),
  'GET /api/bank/bookings': ({ bank }, { query }) =>
    newest(bank.records.all('bookings'), query, ['account', 'currency', 'bank']).map(shownBooking),
  'GET /api/bank/payments': ({ bank }, { query }) =>
    newest(bank.records.all('payments'), query, ['endToEndId', 'uetr', 'state', 'bank']).map(shownPayment),
  'GET /api/bank/payments/:': ({ bank }, _, id) => shownPayment(bank.records.get('payments', id) ?? notFound()),
  'GET /api/bank/statements': ({ bank }, { query }) =>
    bank.records
      .all('statements')
      .filter(({ account }) => account === (query.get('account') ?? account))
      .map((statement) => {
        const of = bank.records.get('accounts', statement.account)?.currency ?? '';
        return { ...statement, opening: signed(statement.opening, of), closing: signed(statement.closing, of) };
      }),
  'GET /api/bank/files': ({ bank }, { query }) =>
    newest(bank.records.all('files'), query, ['state']).map(({ content, ...file }) => ({
      ...file,
      kind: content.kind,
    })),
  'GET /api/bank/files/:': ({ bank }, _, name) => ({ name, content: bank.files.contentOf(name) ?? notFound() }),
  'GET /api/bank/received': ({ bank }, { query }) => newest(bank.records.all('received'), query, ['messageId']),
  'GET /api/bank/global-accounts': ({ bank }) => bank.records.all('globalAccounts'),
  'GET /api/bank/deposits': ({ bank }, { query }) => newest(bank.records.all('deposits'), query, ['status']),
  'GET /api/bank/events': ({ bank }, { query }) => newest(bank.records.all('webhooks'), query, ['name', 'state']),
  'GET /api/bank/payees': ({ bank }) => bank.records.all('payees'),
  'POST /api/bank/pay-in': ({ bank }, { body }) => takePayIn(bank, read(payInBody, body)),
  'POST /api/bank/batch': ({ bank }, { body }) => {
    const { payIns, details } = read(batchBody, body);
    return booked(bank, (turn) => payInBatch(turn, payIns.map(asPayIn), details));
  },
  'POST /api/bank/fee': ({ bank }, { body }) => booked(bank, (turn) => bookFee(turn, read(feeBody, body))),
  'POST /api/bank/bookings/:': ({ bank }, { body }, id) => {
    const wish = read(reverseBody, body);
    return booked(bank, (turn) => reverseBooking(turn, id, reasonOf(wish.reason ?? 'CUST')));
  },
  'POST /api/bank/payouts': async ({ bank }, { body }) => {
    const wish = read(payoutsBody, body);
    await bank.change((turn) => {
      const settings = settingsOf(turn);
      turn.put('settings', 'now', {
        ...settings,
        payouts: { mode: wish.mode, reason: wish.reason ?? settings.payouts.reason },
      });
    });
    return settingsOf(bank.records).payouts;
  },
  'POST /api/bank/payments/:': async ({ bank }, { body }, id) => {
    const wish = read(paymentBody, body);
    if (bank.records.get('payments', id) === undefined) notFound();
    const payment = await act(bank, (turn) => {
      const changed = changePayment(turn, id, wish.act, wish.reason);
      announce(turn, [changed]);
      return changed;
    });
    return shownPayment(payment);
  },
  'POST /api/bank/deposits/:': async ({ bank }, { body }, id) => {
    const wish = read(depositBody, body);
    await act(bank, (turn) =>
      ({ settle: settleDeposit, reject: rejectDeposit, reverse: reverseDeposit })[wish.act](turn, id),
    );
    return bank.records.get('deposits', id);
  },
  'POST /api/bank/statements': async ({ bank }, { body }) => {
    const { skipNext } = read(statementsBody, body);
    await bank.change((turn) => turn.put('settings', 'now', { ...settingsOf(turn), skipStatements: skipNext }));
    return { skipNext };
  },
  'POST /api/bank/files/:': async ({ bank }, { body }, name) => {
    const wish = read(fileBody, body);
    if (bank.records.get('files', name) === undefined) notFound();
    return { name: await bank.files.again(name, wish.act === 'again' ? 'same' : wish.act) };
  },
  'POST /api/bank/clock': async ({ bank }, { body }) => {
    await bank.pushClock(read(clockBody, body).to);
    return shownClock(bank.records, bank.now());
  },
  'POST /api/bank/sftp': async ({ bank }, { body }) => {
    await bank.sftp.change(read(sftpBody, body));
    return bank.sftp.state();
  },
  'POST /api/bank/api': async ({ bank }, { body }) => {
    const wish = read(apiBody, body);
    await bank.api.setMode(wish.mode, wish.delayMs);
    return { mode: bank.api.mode() };
  },
  'POST /api/bank/webhook': ({ bank }, { body }) => changeWebhook(bank, read(webhookBody, body)),
  'POST /api/bank/events/:': async ({ bank }, { body }, id) => {
    const wish = read(eventBody, body);
    if (bank.records.get('webhooks', id) === undefined) notFound();
    if (wish.act !== 'lose') return { status: await bank.webhooks[wish.act](id) };
    await bank.change((turn) => {
      const event = turn.get('webhooks', id);
      if (event !== undefined) turn.put('webhooks', id, { ...event, state: 'lost' });
    });
    return { status: 'lost' };
  },
  'POST /api/bank/payees': async ({ bank }, { body }) => {
    const payee = read(payeeBody, body);
    await bank.change((turn) => turn.put('payees', payee.account, payee));
    return payee;
  },
};

function overview(bank: Bank) {
  const { records } = bank;
  const accounts = records
    .all('accounts')
    .filter(({ kind }) => kind === 'customer')
    .map((account) => ({
      bank: account.bank,
      number: account.number,
      currency: account.currency,
      balance: signed(account.balance, account.currency),
      available: signed(String(available(account)), account.currency),
      held: signed(account.held, account.currency),
    }));
  const { payouts, skipStatements, webhooks } = settingsOf(records);
  return {
    clock: shownClock(records, bank.now()),
    accounts,
    settings: { payouts, skipStatements },
    sftp: { port: bank.sftp.port, ...bank.sftp.state() },
    api: { url: bank.api.url, mode: bank.api.mode() },
    webhook: webhooks,
  };
}

type PayInBody = z.output<typeof payInBody>;

function asPayIn({ garble = 'no', status: _, ...wish }: PayInBody): PayIn {
  return garbled(wish, garble);
}

/** At the HTTP bank money for a global account is a deposit, with its events. */
function takePayIn(bank: Bank, body: PayInBody): Promise<unknown> {
  const wish = asPayIn(body);
  const global = bank.records.all('globalAccounts').find(({ number }) => number === wish.to);
  if (wish.bank === 'harbour' || global === undefined) return booked(bank, (turn) => payIn(turn, wish));
  if (global.currency !== wish.currency)
    throw new DeskError(422, `The account ${wish.to} does not take ${wish.currency}.`);
  const reference = [wish.reference ?? '', wish.text ?? ''].filter((part) => part !== '').join(' ');
  return act(bank, (turn) => ({
    deposit: createDeposit(turn, {
      globalAccount: global.id,
      amount: wish.amount,
      payer: wish.payer,
      reference,
      status: body.status ?? 'SETTLED',
    }),
  }));
}

async function booked(bank: Bank, work: (turn: Turn) => Booking): Promise<{ booking: string }> {
  return { booking: (await act(bank, work)).id };
}

/** @throws DeskError with the bank's own sentence */
async function act<Result>(bank: Bank, work: (turn: Turn) => Result): Promise<Result> {
  try {
    return await bank.change(work);
  } catch (error) {
    if (error instanceof BankRefusal) throw new DeskError(422, `${error.code}: ${error.message}`);
    if (error instanceof ApiError) throw new DeskError(error.status === 404 ? 404 : 422, error.message);
    throw error;
  }
}

function changePayment(
  turn: Turn,
  id: string,
  wish: z.output<typeof paymentBody>['act'],
  code: string | undefined,
): Payment {
  switch (wish) {
    case 'settle':
      return settlePayment(turn, id);
    case 'delay':
      return delayPayment(turn, id);
    case 'refuse':
      return refusePayment(turn, id, reasonOf(code ?? 'AC04'));
    case 'return':
      return returnPayment(turn, id, reasonOf(code ?? 'AC04'));
  }
}

async function changeWebhook(bank: Bank, wish: z.output<typeof webhookBody>): Promise<unknown> {
  await bank.change((turn) => {
    const settings = settingsOf(turn);
    const { url = settings.webhooks.url, mode = settings.webhooks.mode } = wish;
    turn.put('settings', 'now', { ...settings, webhooks: { url, mode } });
  });
  if (wish.mode === 'on') await deliverHeld(bank, wish.order ?? 'usual');
  return settingsOf(bank.records).webhooks;
}

/** One after another, so that the order is seen at the other end; what fails is tried again later. */
async function deliverHeld(bank: Bank, order: 'usual' | 'reversed'): Promise<void> {
  const held = bank.records.all('webhooks').filter(({ state }) => state === 'held');
  for (const { id } of order === 'usual' ? held : held.reverse()) {
    await bank.change((turn) => {
      const event = turn.get('webhooks', id);
      if (event !== undefined) turn.put('webhooks', id, { ...event, state: 'due', nextAt: 0 });
    });
    await bank.webhooks.deliver();
  }
}

const signed = (minor: string, of: string): string => amountText(BigInt(minor), of);

function shownBooking(booking: Readonly<Booking>) {
  const details = booking.details.map((detail) => ({ ...detail, amount: signed(detail.amount, booking.currency) }));
  return { ...booking, amount: signed(booking.amount, booking.currency), details };
}

function shownPayment(payment: Readonly<Payment>) {
  return { ...payment, amount: signed(payment.amount, payment.currency) };
}

/** The newest first, those whose fields are as the query says. */
function newest<Item extends object>(
  items: readonly Item[],
  query: URLSearchParams,
  fields: readonly string[],
): Item[] {
  const wanted = fields.filter((field) => query.has(field));
  const found = items.filter((item) =>
    wanted.every((field) => String(Object.entries(item).find(([name]) => name === field)?.[1]) === query.get(field)),
  );
  return found.reverse().slice(0, Number(query.get('limit') ?? 1000) || 1000);
}

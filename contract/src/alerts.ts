import * as z from 'zod/mini';
import { alerts } from './alerts-rules.ts';
import { call, nothing } from './call.ts';
import { amountText, asset, id, instant, rateText } from './ids.ts';
import { isQuota } from './organisation-rules.ts';
import { rateDirections } from './rates-rules.ts';

export * from './alerts-rules.ts';

const hour = z
  .number('field.required')
  .check(z.int('field.invalid'), z.minimum(0, 'field.invalid'), z.maximum(23, 'field.invalid'));

const chosenAlerts = z.object({
  /** By whose hours the digest is sent: the company's, an IANA name. */
  timeZone: z.string(),
  alerts: z.array(
    z.object({
      alert: z.enum(alerts),
      on: z.boolean(),
      /** Whether the person's role shows them what it is about; without it they get none, whatever they chose. */
      allowed: z.boolean(),
    }),
  ),
  /** US dollars: a deposit that is worth as much or more is large. */
  largeIncomingUsd: z.string(),
  digestHour: z.number(),
  /** The digest is also sent when nothing happened and nothing is waiting. */
  digestAlways: z.boolean(),
});
export type ChosenAlerts = z.output<typeof chosenAlerts>;

export const getAlerts = call({
  name: 'getAlerts',
  method: 'GET',
  path: '/web/notice/alerts',
  summary: 'Which alerts the person signed in has chosen. Each comes as a notice and as a mail.',
  access: 'notice.view',
  output: chosenAlerts,
  errors: [],
});

export const setAlerts = call({
  name: 'setAlerts',
  method: 'PUT',
  path: '/web/notice/alerts',
  summary: 'Chooses the alerts named; what is not named stays as it is.',
  access: 'notice.view',
  body: z
    .strictObject({
      on: z.optional(
        z.partial(
          z.strictObject({
            lowBalance: z.boolean('field.required'),
            largeIncoming: z.boolean('field.required'),
            newPayee: z.boolean('field.required'),
            dailyDigest: z.boolean('field.required'),
          }),
        ),
      ),
      largeIncomingUsd: z.optional(z.string('field.quota').check(z.refine(isQuota, { error: 'field.quota' }))),
      digestHour: z.optional(hour),
      digestAlways: z.optional(z.boolean('field.required')),
    })
    .check(
      z.refine((named) => Object.values(named).some((value) => value !== undefined), {
        error: 'field.required',
        path: ['on'],
      }),
    ),
  output: chosenAlerts,
  errors: [],
});

export const watchWallet = call({
  name: 'watchWallet',
  method: 'PUT',
  path: '/web/crypto/wallets/{id}/alert',
  summary:
    'Sets the balance below which members who chose so are alerted of a wallet, in whole units of its asset; null: never. Of the whole company.',
  access: 'transfer.create',
  params: z.object({ id }),
  body: z.strictObject({
    below: z.nullable(amountText.check(z.refine((amount) => /[1-9]/.test(amount), { error: 'field.amount' }))),
  }),
  output: nothing,
  errors: ['walletNotFound', 'amountFormat', 'amountTooManyDecimals', 'amountTooLarge'],
});

const rateAlert = z.object({
  id,
  sell: asset,
  buy: asset,
  direction: z.enum(rateDirections),
  /** Units of `buy` for one of `sell`. */
  value: z.string(),
  createdAt: instant,
  /** When the rate passed it, and where it was then; null: it is still watched. */
  firedAt: z.nullable(instant),
  firedRate: z.nullable(z.string()),
});
export type RateAlert = z.output<typeof rateAlert>;

export const listRateAlerts = call({
  name: 'listRateAlerts',
  method: 'GET',
  path: '/web/notice/alerts/rates',
  summary: 'The alerts of rates that the person signed in has set, those that are still watched first.',
  access: 'wallet.view',
  output: z.object({ items: z.array(rateAlert) }),
  errors: [],
});

export const addRateAlert = call({
  name: 'addRateAlert',
  method: 'POST',
  path: '/web/notice/alerts/rates',
  summary:
    'Alerts the person signed in once, by notice and mail, when the middle rate of a pair reaches a value from the other side.',
  access: 'wallet.view',
  body: z
    .strictObject({ id, sell: asset, buy: asset, direction: z.enum(rateDirections), value: rateText })
    .check(z.refine(({ sell, buy }) => sell !== buy, { error: 'field.asset', path: ['buy'] })),
  output: rateAlert,
  errors: ['idTaken', 'rateUnknown', 'tooManyRateAlerts'],
});

export const removeRateAlert = call({
  name: 'removeRateAlert',
  method: 'DELETE',
  path: '/web/notice/alerts/rates/{id}',
  summary: 'Removes an alert of one’s own.',
  access: 'wallet.view',
  params: z.strictObject({ id }),
  errors: ['notFound'],
  output: nothing,
});

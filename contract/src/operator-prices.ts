import * as z from 'zod/mini';
import { call, nothing } from './call.ts';
import { amountText, asset, bankId, chainId, coin, id, instant, page, pageQuery } from './ids.ts';
import { operatorReason } from './operator.ts';
import {
  isBankFee,
  isBankSwitch,
  type PriceKind,
  priceKinds,
  priceStates,
  switchKinds,
} from './operator-prices-rules.ts';

/** What companies pay and may do at most, and which coins and chains are on. Part of the feature operator. */

export * from './operator-prices-rules.ts';

const named = z.object({ id, name: z.string() });

/** Which price; without a company, that for every company. */
const priceKey = {
  kind: z.enum(priceKinds),
  asset,
  /** Of a withdrawal fee, and of nothing else. */
  chain: z.optional(chainId),
  /** Of a fee of payments out of a bank, and of nothing else. */
  bank: z.optional(bankId),
  companyId: z.optional(id),
};

/** Exactly a withdrawal fee names its chain, and exactly a fee of payments its bank. */
const isPlaced = z.refine<{ kind: PriceKind; chain?: string | undefined; bank?: string | undefined }>(
  ({ kind, chain, bank }) =>
    (kind === 'withdrawal_fee') === (chain !== undefined) && isBankFee(kind) === (bank !== undefined),
  { error: 'field.place', path: ['chain'] },
);

const chainNamed = z.nullable(z.object({ id: chainId, name: z.string() }));
/** Named in the reader's language. */
const bankNamed = z.nullable(z.object({ id: bankId, name: z.string() }));

/** In whole units of the asset; whole basis points of a spread; null: none of its own from then on. */
const newValue = z.nullable(amountText);

const plannedPrice = z.object({ id, value: z.nullable(z.string()), validFrom: instant });

/** A price of a key: what holds now, and where it comes from. Without a value: no limit, no spread, or a minimum in which banks differ. */
const inForce = z.object({
  value: z.nullable(z.string()),
  /** `company`: its own. `installation`: that for every company. `registered`: as the coin was registered, or as the file of banks says. */
  from: z.enum(['company', 'installation', 'registered']),
  since: z.nullable(instant),
  planned: z.array(plannedPrice),
  /** Of a company: what is planned for every company and will hold for it, since none of its own beats it then. */
  plannedForAll: z.array(plannedPrice),
});

export const listPricesInForce = call({
  name: 'listPricesInForce',
  method: 'GET',
  path: '/operator/price',
  summary: 'The prices in force for every company, or for one, of each asset and chain, with those planned.',
  access: 'operator.view',
  query: z.strictObject({ companyId: z.optional(id) }),
  output: z.object({
    company: z.nullable(named),
    items: z.array(
      z.object({
        asset,
        decimals: z.number(),
        /** A coin, or a currency at banks. */
        isCoin: z.boolean(),
        prices: z.array(
          z.extend(inForce, {
            kind: z.enum(priceKinds),
            chain: chainNamed,
            bank: bankNamed,
          }),
        ),
        /** Companies with a price of their own for this asset. */
        companies: z.array(named),
      }),
    ),
  }),
  errors: ['notFound'],
});

export const priceRow = z.object({
  id,
  kind: z.enum(priceKinds),
  asset,
  /** A coin, or a currency at banks. */
  isCoin: z.boolean(),
  decimals: z.number(),
  chain: chainNamed,
  bank: bankNamed,
  company: z.nullable(named),
  value: z.nullable(z.string()),
  validFrom: instant,
  /** Null: until another follows. */
  validUntil: z.nullable(instant),
  state: z.enum(priceStates),
  /** Null where it was set on the command line, by `setBy`. */
  proposal: z.nullable(z.object({ id, proposedBy: z.string(), confirmedBy: z.string() })),
  setBy: z.nullable(z.string()),
  withdrawal: z.nullable(z.object({ at: instant, by: z.string(), reason: z.string() })),
});
export type PriceRow = z.output<typeof priceRow>;

export const listPriceHistory = call({
  name: 'listPriceHistory',
  method: 'GET',
  path: '/operator/price/history',
  summary: 'Every price that was set, newest first, with who proposed and who confirmed it.',
  access: 'operator.view',
  query: z.strictObject({
    ...pageQuery,
    id: z.optional(id),
    kind: z.optional(z.enum(priceKinds)),
    asset: z.optional(asset),
    state: z.optional(z.enum(priceStates)),
    companyId: z.optional(id),
  }),
  output: page(priceRow),
  errors: ['cursorInvalid'],
});

/** What a new fee, minimum or limit would have made of the last 90 days' completed withdrawals, or payments out of a bank. */
export const priceTrial = z.object({
  transfers: z.number(),
  /** Fees as they were, and as they would have been, in the asset. */
  earned: z.string(),
  wouldEarn: z.string(),
  /** Signed. */
  difference: z.string(),
  /** Today's value in US dollars of the three; null without a fresh price. */
  usd: z.nullable(z.object({ earned: z.string(), wouldEarn: z.string(), difference: z.string() })),
  /** Transfers that would have been refused: at or below the minimum, above the limit. */
  refused: z.number(),
  companies: z.number(),
});
export type PriceTrial = z.output<typeof priceTrial>;

export const tryPrice = call({
  name: 'tryPrice',
  method: 'GET',
  path: '/operator/price/trial',
  summary:
    'What a price would have earned over the completed withdrawals, or payments out of the bank, of the last 90 days. Companies with a price of their own are left out of one for every company.',
  access: 'operator.price',
  query: z.strictObject({ ...priceKey, value: z.optional(amountText) }).check(isPlaced),
  output: z.object({
    before: inForce,
    /** Null where it cannot be said: of a daily limit, a recharge, a spread, and without a value. */
    trial: z.nullable(priceTrial),
    /** Companies for which it would hold. */
    affected: z.number(),
  }),
  errors: [
    'notFound',
    'assetUnknown',
    'coinNotOnChain',
    'currencyNotAtBank',
    'amountFormat',
    'amountTooManyDecimals',
    'amountTooLarge',
    'priceOutOfRange',
  ],
});

export const proposePrice = call({
  name: 'proposePrice',
  method: 'POST',
  path: '/operator/price',
  summary:
    'Proposes a price from an instant on, or from the confirmation. Payments that are under way keep their fee. Companies are notified of a fee that rises.',
  access: 'operator.price',
  body: z
    .strictObject({ ...priceKey, value: newValue, validFrom: z.optional(instant), reason: operatorReason })
    .check(isPlaced),
  output: z.object({ proposalId: id }),
  errors: [
    'notFound',
    'assetUnknown',
    'coinNotOnChain',
    'currencyNotAtBank',
    'amountFormat',
    'amountTooManyDecimals',
    'amountTooLarge',
    'priceOutOfRange',
    'priceInPast',
    'pricePlanned',
    'nothingChanges',
    'proposalOpen',
  ],
});

export const withdrawPrice = call({
  name: 'withdrawPrice',
  method: 'POST',
  path: '/operator/price/{id}/withdraw',
  summary: 'Takes a planned price back before it holds, at once: what holds before it holds on.',
  access: 'operator.price',
  params: z.object({ id }),
  body: z.strictObject({ reason: operatorReason }),
  output: nothing,
  errors: ['priceInForce'],
});

const off = z.nullable(z.object({ id, at: instant, by: z.string(), reason: z.string() }));

export const listOperatorAssets = call({
  name: 'listOperatorAssets',
  method: 'GET',
  path: '/operator/asset',
  summary:
    'Chains with their coins, banks with their currencies, and what is switched off, since when, by whom and why.',
  access: 'operator.view',
  output: z.object({
    items: z.array(
      z.object({
        chain: chainId,
        name: z.string(),
        /** Whether the configuration has it. */
        configured: z.boolean(),
        off,
        coins: z.array(
          z.object({
            coin,
            contract: z.nullable(z.string()),
            configured: z.boolean(),
            withdrawalsOff: off,
            depositsOff: off,
            /** Transfers that were submitted and not sent. */
            waiting: z.number(),
          }),
        ),
      }),
    ),
    banks: z.array(
      z.object({
        bank: bankId,
        name: z.string(),
        currencies: z.array(
          z.object({
            currency: asset,
            /** Whether the file of banks has it; `payouts`: and takes payments. */
            configured: z.boolean(),
            payouts: z.boolean(),
            rechargesOff: off,
            payoutsOff: off,
            /** Payments that were submitted and that the bank was not ordered yet. */
            waiting: z.number(),
          }),
        ),
      }),
    ),
  }),
  errors: [],
});

export const switchOff = call({
  name: 'switchOff',
  method: 'POST',
  path: '/operator/asset/off',
  summary:
    'Switches off at once: a chain, withdrawals or deposits of a coin on it, recharges or payouts of a currency at a bank. What was handed over goes on, unless the chain is off; what arrives is credited all the same.',
  access: 'operator.price',
  body: z
    .strictObject({
      what: z.enum(switchKinds),
      chain: z.optional(chainId),
      coin: z.optional(coin),
      bank: z.optional(bankId),
      currency: z.optional(asset),
      reason: operatorReason,
    })
    .check(
      z.refine(
        ({ what, chain, bank }) =>
          (chain === undefined) === isBankSwitch(what) && (bank !== undefined) === isBankSwitch(what),
        { error: 'field.place', path: ['chain'] },
      ),
      z.refine(({ what, coin }) => (coin === undefined) === (what === 'chain' || isBankSwitch(what)), {
        error: 'field.coin',
        path: ['coin'],
      }),
      z.refine(({ what, currency }) => (currency !== undefined) === isBankSwitch(what), {
        error: 'field.coin',
        path: ['currency'],
      }),
    ),
  output: z.object({ id }),
  errors: ['chainUnknown', 'coinNotOnChain', 'currencyNotAtBank', 'nothingChanges'],
});

export const proposeSwitchOn = call({
  name: 'proposeSwitchOn',
  method: 'POST',
  path: '/operator/asset/{id}/on',
  summary: 'Proposes to switch on again what is off.',
  access: 'operator.price',
  params: z.object({ id }),
  body: z.strictObject({ reason: operatorReason }),
  output: z.object({ proposalId: id }),
  errors: ['proposalOpen'],
});

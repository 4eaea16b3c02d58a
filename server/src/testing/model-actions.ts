import fc from 'fast-check';
import { type ModelCoin, modelCoins } from './model-sides.ts';

/** One step of a history. */
export type Action =
  | { do: 'deposit'; side: number; coin: ModelCoin; units: number }
  | { do: 'mine'; blocks: number }
  | { do: 'reorganise'; blocks: number; keep: boolean }
  | { do: 'submit'; side: number; coin: ModelCoin; units: number; payee: number }
  | { do: 'cancel'; index: number }
  | { do: 'silence' | 'revert' | 'refuse'; on: boolean }
  | { do: 'work' | 'tend' | 'unfreeze' };

const side = fc.constantFrom(0, 1);
const coin = fc.constantFrom(...modelCoins);
const amount = fc.integer({ min: 1, max: 20 });
/** Steps of a history on a chain of this depth. */
export const actionsAt = (depth: number): fc.Arbitrary<Action> =>
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({ do: fc.constant('deposit' as const), side, coin, units: fc.integer({ min: 5, max: 60 }) }),
    },
    {
      weight: 8,
      arbitrary: fc.record({ do: fc.constant('mine' as const), blocks: fc.integer({ min: 1, max: depth + 1 }) }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('reorganise' as const),
        blocks: fc.integer({ min: 1, max: depth + 6 }),
        keep: fc.boolean(),
      }),
    },
    {
      weight: 8,
      arbitrary: fc.record({
        do: fc.constant('submit' as const),
        side,
        coin,
        units: amount,
        payee: fc.constantFrom(0, 1),
      }),
    },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('cancel' as const), index: fc.nat(20) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constantFrom('silence' as const, 'revert' as const, 'refuse' as const),
        on: fc.boolean(),
      }),
    },
    { weight: 6, arbitrary: fc.record({ do: fc.constant('work' as const) }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('tend' as const, 'unfreeze' as const) }) },
  );

/** So that there is something to spend from the first step on. */
export const fundingAt = (depth: number): Action[] => [
  ...[0, 1].flatMap((party) => modelCoins.map((of): Action => ({ do: 'deposit', side: party, coin: of, units: 30 }))),
  { do: 'mine', blocks: depth + 1 },
];

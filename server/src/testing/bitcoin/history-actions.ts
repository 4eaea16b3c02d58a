import fc from 'fast-check';
import type { Action as EvmAction } from '../model-actions.ts';
import { actionsAt } from '../model-actions.ts';
import { modelDepth } from '../model-figures.ts';

/** Steps of a history on a Bitcoin chain and an EVM chain; `act` names those on Bitcoin. */
export type HistoryAction =
  | EvmAction
  | { act: 'fund'; side: number; units: number; place: number; isReplaceable: boolean }
  | { act: 'replace'; index: number; to: 'same' | 'less' | 'elsewhere'; at: 0 | 1 | null }
  | { act: 'mine'; blocks: number; isFull: boolean; isRead: boolean }
  | { act: 'fork'; depth: number; fate: 'offered' | 'lost' }
  | { act: 'send'; side: number; percent: number; to: 'outside' | 'other'; level: 'economy' | 'normal' | 'urgent' }
  | { act: 'sendSeveral'; side: number; percents: number[]; level: 'economy' | 'normal' | 'urgent' }
  | { act: 'raise'; index: number }
  | { act: 'rates'; urgent: number }
  | { act: 'nodes'; stopped: 0 | 1 | null; reached: 0 | 1 | null; miner: 0 | 1 }
  | { act: 'gossip' | 'look' | 'read' | 'tend' }
  | {
      act: 'die';
      during: 'work' | 'tend' | 'read' | 'look';
      transactions: number;
      moment: 'before commit' | 'after commit';
    };

const side = fc.constantFrom(0, 1);
const index = fc.nat(30);
const node = fc.constantFrom(0 as const, 1 as const);
const nodeOrNone = fc.constantFrom(null, null, 0 as const, 1 as const);
const act = <A extends string>(...acts: A[]) => fc.constantFrom(...acts);

const bitcoinAction: fc.Arbitrary<HistoryAction> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      act: act('fund'),
      side,
      units: fc.integer({ min: 1, max: 60 }),
      place: fc.nat(3),
      isReplaceable: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      act: act('replace'),
      index,
      to: fc.constantFrom('same' as const, 'less' as const, 'elsewhere' as const),
      at: nodeOrNone,
    }),
  },
  {
    weight: 9,
    arbitrary: fc.record({
      act: act('mine'),
      blocks: fc.integer({ min: 1, max: 3 }),
      isFull: fc.constantFrom(false, false, true),
      isRead: fc.constantFrom(true, true, false),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      act: act('fork'),
      depth: fc.integer({ min: 1, max: 8 }),
      fate: fc.constantFrom('offered' as const, 'lost' as const),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      act: act('send'),
      side,
      percent: fc.constantFrom(5, 20, 40, 80, 100),
      to: fc.constantFrom('outside' as const, 'other' as const),
      level: fc.constantFrom('economy' as const, 'normal' as const, 'urgent' as const),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      act: act('sendSeveral'),
      side,
      percents: fc.array(fc.constantFrom(3, 8, 15, 30), { minLength: 2, maxLength: 4 }),
      level: fc.constantFrom('economy' as const, 'normal' as const, 'urgent' as const),
    }),
  },
  { weight: 7, arbitrary: fc.record({ act: act('raise'), index }) },
  { weight: 1, arbitrary: fc.record({ act: act('rates'), urgent: fc.constantFrom(4, 20, 60) }) },
  { weight: 2, arbitrary: fc.record({ act: act('nodes'), stopped: nodeOrNone, reached: nodeOrNone, miner: node }) },
  { weight: 5, arbitrary: fc.record({ act: act('gossip', 'look', 'read', 'tend') }) },
  {
    weight: 4,
    arbitrary: fc.record({
      act: act('die'),
      during: fc.constantFrom('work' as const, 'tend' as const, 'read' as const, 'look' as const),
      transactions: fc.integer({ min: 1, max: 12 }),
      moment: fc.constantFrom('before commit' as const, 'after commit' as const),
    }),
  },
);

export const historyActions: fc.Arbitrary<HistoryAction> = fc.oneof(
  { weight: 3, arbitrary: bitcoinAction },
  { weight: 1, arbitrary: fc.constant({ do: 'work' } as const) },
  { weight: 1, arbitrary: actionsAt(modelDepth) },
);

import { describe, expect, test } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import { type EvmIntent, evmJournal, isSamePricing } from '../evm/journal-family.ts';
import type { Intent, JournalFamily } from './family.ts';
import { refusalOf as refusalIn } from './journal-rules.ts';

const refusalOf = (intent: EvmIntent, related: readonly EvmIntent[]) =>
  refusalIn({ journal: evmJournal, resourceTaken: 'nonce-taken' }, intent, related);

const transferId = newId();
const intent: EvmIntent = {
  family: 'evm',
  companyId: newId(),
  transferId,
  paymentId: transferId,
  kind: 'transfer',
  chainId: 'ethereum',
  fromAddress: '0x00000000000000000000000000000000000000A1',
  derivationIndex: 4,
  nonce: 8,
  toAddress: '0x00000000000000000000000000000000000000B2',
  coin: 'USDT',
  amountMinor: 2_000_000n,
  gasLimit: 80_000n,
  maxFeePerGas: 3_000_000_000n,
  maxPriorityFeePerGas: 1_000_000_000n,
};

describe('the journal allows', () => {
  test('what it does not know, and what it knows, also with other fees', () => {
    expect(refusalOf(intent, [])).toBeNull();
    expect(refusalOf(intent, [intent])).toBeNull();
    const dearer = { ...intent, gasLimit: 90_000n, maxFeePerGas: 4_000_000_000n, maxPriorityFeePerGas: 2_000_000_000n };
    expect(refusalOf(dearer, [intent])).toBeNull();
    expect(refusalOf(dearer, [intent, dearer])).toBeNull();
  });
});

describe('the journal refuses', () => {
  const changes: Partial<EvmIntent>[] = [
    { companyId: newId() },
    { transferId: newId() },
    { kind: 'gas' },
    { chainId: 'harbour' },
    { fromAddress: '0x00000000000000000000000000000000000000A2' },
    { nonce: 9 },
    { toAddress: '0x00000000000000000000000000000000000000B3' },
    { coin: 'USDC' },
    { amountMinor: 2_000_001n },
  ];

  test.each(changes.map((change) => [Object.keys(change)[0], change] as const))(
    'the same payment with another %s',
    (_, change) => {
      expect(refusalOf({ ...intent, ...change }, [intent])).toBe('other-payment');
      // At any place among the entries that agree.
      expect(refusalOf({ ...intent, ...change }, [{ ...intent, ...change }, intent])).toBe('other-payment');
    },
  );

  test('a second payment with the same nonce', () => {
    const other = newId();
    expect(refusalOf({ ...intent, paymentId: other, transferId: other }, [intent])).toBe('nonce-taken');
  });
});

test('an attempt is another one when any of its fees differs', () => {
  expect(isSamePricing(intent, { ...intent })).toBe(true);
  expect(isSamePricing(intent, { ...intent, gasLimit: 80_001n })).toBe(false);
  expect(isSamePricing(intent, { ...intent, maxFeePerGas: 1n })).toBe(false);
  expect(isSamePricing(intent, { ...intent, maxPriorityFeePerGas: 1n })).toBe(false);
});

describe('of payments that were signed together', () => {
  const further = { transferId: newId(), toAddress: '0x00000000000000000000000000000000000000B3', amountMinor: 5n };
  const bundle = { ...intent, joined: [further] };

  test('the journal allows the same ones again, at other fees too', () => {
    expect(refusalOf(bundle, [bundle])).toBeNull();
    expect(refusalOf({ ...bundle, maxFeePerGas: 4_000_000_000n }, [bundle])).toBeNull();
  });

  test('it refuses one alone, one with others, and the same ones with another content or order', () => {
    const third = { ...further, transferId: newId() };
    const { transferId: id } = further;
    const alone = { ...intent, transferId: id, paymentId: id, amountMinor: 5n };
    expect(refusalOf(intent, [bundle])).toBe('other-payment');
    expect(refusalOf(alone, [bundle])).toBe('other-payment');
    expect(refusalOf(bundle, [alone])).toBe('other-payment');
    expect(refusalOf(bundle, [intent])).toBe('other-payment');
    expect(refusalOf({ ...bundle, joined: [further, third] }, [bundle])).toBe('other-payment');
    expect(refusalOf({ ...bundle, joined: [third] }, [bundle])).toBe('other-payment');
    expect(refusalOf({ ...bundle, joined: [{ ...further, amountMinor: 6n }] }, [bundle])).toBe('other-payment');
    expect(refusalOf({ ...bundle, joined: [{ ...further, toAddress: intent.toAddress }] }, [bundle])).toBe(
      'other-payment',
    );
    const turned = { ...alone, joined: [{ transferId, toAddress: intent.toAddress, amountMinor: intent.amountMinor }] };
    expect(refusalOf(turned, [bundle])).toBe('other-payment');
  });
});

describe('of whatever family, the journal refuses', () => {
  /** A family whose payments spend what their coin names, letter by letter. */
  const letters: JournalFamily<Intent & { spends: string }> = {
    name: 'letters',
    flatFields: null,
    planOf: ({ spends }) => ({ spends }),
    withPlan: (payment, plan) => ({ ...payment, spends: String(plan['spends']) }),
    isFromTreasury: () => false,
    resourcesOf: ({ spends }) => [...spends],
    isSamePayment: () => true,
    isSameAttempt: (a, b) => a.spends === b.spends,
  };
  const sparing: typeof letters = { ...letters, spares: true };
  const { fromAddress: _, ...payment } = intent;
  const spending = (spends: string, paymentId = transferId) => ({ ...payment, family: 'letters', paymentId, spends });
  const refusal = (of: ReturnType<typeof spending>, related: ReturnType<typeof spending>[]) =>
    refusalIn({ journal: letters, resourceTaken: 'letter-taken' }, of, related);

  test('an attempt that the chain could take beside an earlier one', () => {
    expect(refusal(spending('ab'), [spending('a')])).toBeNull();
    expect(refusal(spending('bc'), [spending('ab')])).toBeNull();
    expect(refusal(spending('c'), [spending('ab')])).toBe('other-payment');
    // Each of the earlier ones must be excluded, not only the last.
    expect(refusal(spending('bc'), [spending('a'), spending('ab')])).toBe('other-payment');
  });

  test('what another payment has used, by the family’s word for it', () => {
    expect(refusal(spending('ab'), [spending('b', newId())])).toBe('letter-taken');
  });

  test('what another payment needs, and not what it can be made without, where the family spares that', () => {
    const other = newId();
    const raised = [spending('a', other), spending('ab', other)];
    const refusalSparing = (spends: string, related: ReturnType<typeof spending>[]) =>
      refusalIn({ journal: sparing, resourceTaken: 'letter-taken' }, spending(spends), related);
    expect(refusalSparing('bc', raised)).toBeNull();
    expect(refusal(spending('bc'), raised)).toBe('letter-taken');
    for (const spends of ['a', 'ab', 'abc', 'ac']) expect(refusalSparing(spends, raised)).toBe('letter-taken');
    // A third payment that needs it.
    expect(refusalSparing('bc', [...raised, spending('b', newId())])).toBe('letter-taken');
    // An empty transaction is no way to make the payment.
    const emptied = [{ ...spending('a', other), kind: 'empty' as const }, spending('ab', other)];
    expect(refusalSparing('bc', emptied)).toBe('letter-taken');
    // What exists is given again, whichever payment has used it since.
    expect(
      refusalIn({ journal: sparing, resourceTaken: 'letter-taken' }, spending('ab', other), [
        ...raised,
        spending('bc'),
      ]),
    ).toBeNull();
    expect(
      refusalIn({ journal: sparing, resourceTaken: 'letter-taken' }, spending('abd', other), [
        ...raised,
        spending('bc'),
      ]),
    ).toBe('letter-taken');
  });

  test('what a payment that has failed used, where the family frees it: nothing that a third one needs', () => {
    const [ended, other] = [newId(), newId()];
    const freeing: typeof letters = { ...letters, isFreed: ({ spends }) => !spends.includes('x') };
    const refusalFreeing = (related: ReturnType<typeof spending>[], failed: string[]) =>
      refusalIn({ journal: freeing, resourceTaken: 'letter-taken' }, spending('bc'), related, new Set(failed));
    const used = [spending('ab', ended), spending('abd', ended)];
    expect(refusalFreeing(used, [ended])).toBeNull();
    expect(refusalFreeing(used, [])).toBe('letter-taken');
    expect(refusalFreeing([...used, spending('b', other)], [ended])).toBe('letter-taken');
    expect(refusalFreeing([...used, spending('bx', ended)], [ended])).toBe('letter-taken');
    expect(refusalIn({ journal: letters, resourceTaken: 'letter-taken' }, spending('bc'), used, new Set([ended]))).toBe(
      'letter-taken',
    );
  });

  test('what payments that were signed together used, as long as one of them has not failed', () => {
    const [first, second] = [newId(), newId()];
    const freeing: typeof letters = { ...letters, isFreed: () => true };
    const joined = [{ transferId: second, toAddress: 'b', amountMinor: 1n }];
    const refusalFreeing = (failed: string[]) =>
      refusalIn(
        { journal: freeing, resourceTaken: 'letter-taken' },
        spending('bc'),
        [{ ...spending('ab', first), joined }],
        new Set(failed),
      );
    expect(refusalFreeing([first])).toBe('letter-taken');
    expect(refusalFreeing([second])).toBe('letter-taken');
    expect(refusalFreeing([first, second])).toBeNull();
  });

  test('a payment that has gone over to another family', () => {
    expect(refusal({ ...spending('a'), family: 'evm' }, [spending('a')])).toBe('other-payment');
  });
});

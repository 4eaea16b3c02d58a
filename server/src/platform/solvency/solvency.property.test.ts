import { createHash, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { filesOf, signedWith, testKey } from '../../testing/solvency.ts';
import { contradictionIn, differenceOf, digestOf } from './statement.ts';
import type { BalanceRow } from './store.ts';
import { buildTree, climb, depthOf, leafId, leafNode, rootHash, SumRefused } from './tree.ts';
import { verifySolvency } from './verify.ts';

const rounds = Number(process.env['PROOF_ROUNDS'] ?? 8);
const day = '2026-01-01';
const key = testKey();
const assets = ['BTC', 'ETH', 'USDT'];

/** Balances of up to 17 companies, many of them equal, so that only salts tell their leaves apart. */
const books = fc
  .array(fc.array(fc.constantFrom(0n, 1n, 5n, 5n, 10n ** 30n), { minLength: 3, maxLength: 3 }), {
    minLength: 1,
    maxLength: 17,
  })
  .map((companies) =>
    companies.flatMap((sums, company): BalanceRow[] =>
      sums.map((minor, asset) => ({
        companyId: `00000000-0000-4000-8000-${String(company + 1).padStart(12, '0')}`,
        asset: assets[asset] ?? '',
        kind: 'available',
        isAtBank: false,
        minor,
      })),
    ),
  );

function reportOf(balances: readonly BalanceRow[]) {
  const decimals = new Map([
    ['BTC', 8],
    ['ETH', 18],
    ['USDT', 6],
  ]);
  const held = balances
    .filter(({ minor }) => minor > 0n)
    .map(({ companyId, asset, minor }) => ({ companyId, address: `${companyId}/${asset}`, asset, minor }));
  const tank = { companyId: null, address: 'tank', asset: 'ETH', minor: 7n };
  const chain = { chain: 'ethereum', block: { height: 9, hash: '0x09', time: new Date('2026-01-01T23:59:59.000Z') } };
  const chains = [{ ...chain, source: 'nodes' as const, holdings: [...held, tank], timing: [] }];
  return filesOf({ day, decimals, balances, chains, banks: [], previous: null, newSalt: () => randomBytes(32) }, key);
}

const judge = (file: object) => verifySolvency(JSON.stringify(file), key.publicKey);
const options = { numRuns: rounds * 5 };

test('every company finds itself under the signed root with its own amounts, and the whole adds up', () => {
  fc.assert(
    fc.property(books, (balances) => {
      const { companies, full } = reportOf(balances);
      expect(judge(full)).toMatchObject({ holds: true });
      for (const file of companies) {
        const verdict = judge(file);
        expect(verdict).toMatchObject({ holds: true, company: { id: file.leaf.company } });
        const counted = verdict.holds ? verdict.company?.counted : [];
        const own = balances.filter(({ companyId, minor }) => companyId === file.leaf.company && minor > 0n);
        expect(counted?.map(({ asset, minor }) => [asset, minor])).toEqual(
          own.map(({ asset, minor }) => [asset, minor]),
        );
      }
    }),
    options,
  );
});

/** Changes one value anywhere in a file, to another of its kind. */
function altered(file: object, pick: number): object {
  const copy: unknown = structuredClone(file);
  const places: { holder: Record<string, unknown>; name: string }[] = [];
  const visit = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, member] of Object.entries(value)) {
      if (typeof member === 'string' || typeof member === 'number') places.push({ holder: value as never, name });
      else visit(member);
    }
  };
  visit(copy);
  const place = places[pick % places.length];
  if (!place) throw new Error('the file has values');
  const value = place.holder[place.name];
  place.holder[place.name] =
    typeof value === 'number'
      ? value + 1
      : /^\d+$/.test(String(value))
        ? String(BigInt(String(value)) + 1n)
        : flip(String(value));
  return copy as object;
}

/** Another text of the same form: one digit or letter changed. */
function flip(text: string): string {
  const last = text.at(-1) ?? '';
  return `${text.slice(0, -2)}${last}${text.at(-2) === last ? (last === '0' ? '1' : '0') : (text.at(-2) ?? '')}`;
}

test('no value of a file can be changed: not an amount, not a sum on the path, not the root, not the signature', () => {
  fc.assert(
    fc.property(books, fc.nat(), fc.boolean(), (balances, pick, isFull) => {
      const { companies, full } = reportOf(balances);
      const file = isFull ? full : companies[pick % companies.length];
      const other = altered(file ?? full, pick);
      // The last letter of base64url has bits that no byte has: the same signature in another spelling.
      fc.pre(JSON.stringify(other) !== JSON.stringify(file) && !sameBytes(other, file ?? full));
      expect(judge(other).holds).toBe(false);
    }),
    { numRuns: rounds * 25 },
  );
});

function sameBytes(one: object, other: object): boolean {
  const bytes = (file: object) => {
    const { signed, ...rest } = file as ReturnType<typeof reportOf>['full'];
    return JSON.stringify([rest, { ...signed, signature: Buffer.from(signed.signature, 'base64url').toString('hex') }]);
  };
  return bytes(one) === bytes(other);
}

/** What the operator could sign instead: everything recomputed after the change, but for one company’s own knowledge. */
describe('an operator who signs something else', () => {
  const someone = fc.tuple(books, fc.nat());

  test('is found by the company that it leaves out: no path leads from its leaf to the root', () => {
    fc.assert(
      fc.property(someone, ([balances, pick]) => {
        const { companies } = reportOf(balances);
        const victim = companies[pick % companies.length];
        if (!victim || companies.length === 1) return;
        const without = reportOf(balances.filter(({ companyId }) => companyId !== victim.leaf.company));
        const [other] = without.companies;
        // Its own leaf at any place of the other tree, with the paths of that tree.
        for (const [position, file] of without.companies.entries()) {
          const forged = { ...file, leaf: { ...victim.leaf, position }, path: file.path };
          const owes = Object.values(victim.leaf.sums).some((minor) => minor !== '0');
          expect(judge(forged).holds, `${owes} ${position}`).toBe(false);
        }
        expect(other && judge(other).holds).toBe(true);
      }),
      options,
    );
  });

  test('cannot show two companies with equal balances the same leaf', () => {
    fc.assert(
      fc.property(someone, ([balances, pick]) => {
        const { companies } = reportOf(balances);
        const [one, other] = [companies[pick % companies.length], companies[(pick + 1) % companies.length]];
        if (!one || !other || one === other) return;
        expect(judge({ ...one, leaf: { ...one.leaf, company: other.leaf.company } }).holds).toBe(false);
      }),
      options,
    );
  });

  test('cannot move a sum from one child to the other: the hash covers both apart', () => {
    fc.assert(
      fc.property(someone, fc.bigInt(1n, 100n), ([balances, pick], moved) => {
        const { companies } = reportOf(balances);
        const file = companies[pick % companies.length];
        const step = file?.path[0];
        if (!file || !step) return;
        const asset = file.statement.assets[0]?.asset ?? '';
        // The same total from a smaller leaf and a larger sibling.
        const sums = step.sums.map((sum, index) => (index === 0 ? String(BigInt(sum) + moved) : sum));
        const own = BigInt(file.leaf.sums[asset] ?? '0');
        if (own < moved) return;
        const leaf = { ...file.leaf, sums: { ...file.leaf.sums, [asset]: String(own - moved) } };
        expect(judge({ ...file, leaf, path: [{ ...step, sums }, ...file.path.slice(1)] }).holds).toBe(false);
      }),
      options,
    );
  });

  test('cannot tell each of two neighbours that the other is owed less, and count both once: the flaw of the first such tree', () => {
    const owed = fc.bigInt(1n, 1000n);
    fc.assert(
      fc.property(owed, owed, (one, other) => {
        const claimed = one > other ? one : other;
        const [left, right] = [leafNode(Buffer.alloc(32, 1), [one]), leafNode(Buffer.alloc(32, 2), [other])];
        // Either sees a total that is too small for both, and its own leaf in it.
        const seenByLeft = climb(left, 0, [{ hash: right.hash, sums: [claimed - one] }]);
        const seenByRight = climb(right, 1, [{ hash: left.hash, sums: [claimed - other] }]);
        expect([seenByLeft.sums, seenByRight.sums]).toEqual([[claimed], [claimed]]);
        expect(seenByLeft.hash.equals(seenByRight.hash)).toBe(false);
      }),
      options,
    );
  });

  test('cannot hide a debt behind a negative sum, or one that overflows', () => {
    const of = { day, assets: ['USDT'], companies: 2 };
    const [low, high] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
    const leaves = (one: bigint, other: bigint) => [
      { id: low, sums: [one] },
      { id: high, sums: [other] },
    ];
    expect(() => buildTree(of, leaves(5n, -5n))).toThrow(SumRefused);
    expect(() => buildTree(of, leaves(2n ** 256n - 1n, 1n))).toThrow(SumRefused);
    expect(() => climb(leafNode(low, [5n]), 0, [{ hash: high, sums: [-5n] }])).toThrow(SumRefused);
    const { companies } = reportOf(sampleOf(books));
    const [file] = companies;
    const sums = { ...file?.leaf.sums, USDT: '-1' };
    expect(judge({ ...file, leaf: { ...file?.leaf, sums } })).toMatchObject({ holds: false });
  });

  test('signs with another key, or signs one day for another', () => {
    const { full } = reportOf(sampleOf(books));
    const stranger = testKey();
    const again = { ...full, signed: signedWith(stranger, day, full.signed.digest) };
    expect(judge(again)).toMatchObject({ holds: false, problem: expect.stringContaining('not the trusted one') });
    expect(verifySolvency(JSON.stringify(again), null).holds).toBe(true);
    expect(judge({ ...full, signed: signedWith(key, '2026-01-02', full.signed.digest) })).toMatchObject({
      holds: false,
      problem: 'the signature does not cover this report',
    });
  });

  test('cannot sign figures that contradict each other', () => {
    const { full } = reportOf(sampleOf(books));
    const [first, ...others] = full.statement.assets;
    if (!first) throw new Error('there is an asset');
    const statement = { ...full.statement, assets: [{ ...first, difference: '12' }, ...others] };
    const signed = signedWith(key, day, digestOf(statement));
    expect(judge({ ...full, statement, signed })).toMatchObject({
      holds: false,
      problem: `the report contradicts itself: the difference of ${first.asset} is not what its figures make`,
    });
  });
});

function sampleOf<T>(arbitrary: fc.Arbitrary<T>): T {
  const [value] = fc.sample(arbitrary, { numRuns: 1, seed: 7 });
  if (value === undefined) throw new Error('there is a sample');
  return value;
}

test('a tree of another day, other assets or another count has another root, though its leaves are the same', () => {
  const top = leafNode(Buffer.alloc(32, 1), [5n, 6n]);
  const roots = [
    rootHash({ day, assets: ['BTC', 'ETH'], companies: 1 }, top),
    rootHash({ day: '2026-01-02', assets: ['BTC', 'ETH'], companies: 1 }, top),
    rootHash({ day, assets: ['BTC', 'USDT'], companies: 1 }, top),
    rootHash({ day, assets: ['BTC', 'ETH'], companies: 2 }, top),
  ];
  expect(new Set(roots.map(String)).size).toBe(4);
});

test('the construction is the one that the decision describes, computed here by hand', () => {
  const hash = (...parts: (string | Buffer)[]) => {
    const made = createHash('sha256');
    for (const part of parts) made.update(part);
    return made.digest();
  };
  const sum = (minor: bigint) => Buffer.from(minor.toString(16).padStart(64, '0'), 'hex');
  const ids = [
    leafId('a', day, Buffer.alloc(32, 1)),
    leafId('b', day, Buffer.alloc(32, 2)),
    leafId('c', day, Buffer.alloc(32, 3)),
  ];
  ids.sort(Buffer.compare);
  const place = Buffer.alloc(8);
  place[7] = 3;
  const leaves = ids.map((id, index) => hash('causeway-solvency-leaf/1\n', id, sum(BigInt(index + 1))));
  const padding = hash('causeway-solvency-padding/1\n', place);
  const node = (left: Buffer, leftSum: bigint, right: Buffer, rightSum: bigint) =>
    hash('causeway-solvency-node/1\n', left, sum(leftSum), right, sum(rightSum));
  const [first = Buffer.alloc(0), second = Buffer.alloc(0), third = Buffer.alloc(0)] = leaves;
  const top = node(node(first, 1n, second, 2n), 3n, node(third, 3n, padding, 0n), 3n);
  const root = hash('causeway-solvency-root/1\n', `${day}\n3\nUSDT\n`, top, sum(6n));
  const tree = buildTree(
    { day, assets: ['USDT'], companies: 3 },
    ids.map((id, index) => ({ id, sums: [BigInt(index + 1)] })),
  );
  expect(tree.root).toEqual(root);
  expect(depthOf(3)).toBe(2);
});

const amount = fc.bigInt({ min: 0n, max: 10n ** 30n });

test('money at banks is on neither side of the difference until it is compared, and on both from then on', () => {
  fc.assert(
    fc.property(amount, amount, amount, amount, (onChains, atBanks, held, heldAtBanks) => {
      const figures = {
        owed: String(onChains + atBanks),
        atBanks: String(atBanks),
        held: String(held),
        own: '0',
        timing: '0',
      };
      expect(differenceOf({ ...figures, heldAtBanks: null })).toBe(held - onChains);
      expect(differenceOf({ ...figures, heldAtBanks: String(heldAtBanks) })).toBe(
        held + heldAtBanks - onChains - atBanks,
      );
    }),
    options,
  );
});

test('a report of before banks had a place in it is still one', () => {
  const { full } = reportOf(sampleOf(books));
  const assets = full.statement.assets.map(({ heldAtBanks, ...figures }) => {
    expect(heldAtBanks).toBeNull();
    return figures;
  });
  const statement = { ...full.statement, assets };
  expect(contradictionIn(statement)).toBeNull();
  expect(judge({ ...full, statement, signed: signedWith(key, day, digestOf(statement)) })).toMatchObject({
    holds: true,
  });
});

test('an empty book has a report too', () => {
  expect(judge(reportOf([]).full)).toMatchObject({ holds: true, company: null });
});

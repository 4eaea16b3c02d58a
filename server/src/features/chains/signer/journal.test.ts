import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { linkOf } from '../../../platform/crypto/linked-log.ts';
import { newId } from '../../../platform/ids.ts';
import { type EvmIntent, evmJournal } from '../evm/journal-family.ts';
import { type Intent, type JournalFamily, journalFamilies } from './family.ts';
import { createJournal, type Journal, type JournalEntry, openJournal } from './journal.ts';
import { refusalOf } from './journal-rules.ts';

const directory = mkdtempSync(join(tmpdir(), 'causeway-journal-'));
afterAll(() => rmSync(directory, { recursive: true }));
afterEach(() => vi.useRealTimers());

const gasTank = '0x00000000000000000000000000000000000000C3';
const transferId = '01939d2e-5f6a-7000-8000-000000000001';
const advanceId = '01939d2e-5f6a-7000-8000-000000000002';

const transfer: EvmIntent = {
  family: 'evm',
  companyId: '01939d2e-5f6a-7000-8000-0000000000c0',
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
const advance: EvmIntent = {
  ...transfer,
  paymentId: advanceId,
  kind: 'gas',
  fromAddress: gasTank,
  derivationIndex: null,
  nonce: 0,
  toAddress: transfer.fromAddress,
  coin: 'native',
  amountMinor: 400_000_000_000_000n,
  gasLimit: 21_000n,
  maxPriorityFeePerGas: 1n,
};

/** As the program wrote it when EVM was the only family. */
const version1 = `{"journal":"causeway-signer","version":1,"gasTank":"0x00000000000000000000000000000000000000C3","hash":"1442bf188923365dcba5a54d7733445658b2cb418b237f790b85aa50b28d1417"}
{"seq":1,"at":"2026-11-20T08:00:00.123Z","companyId":"01939d2e-5f6a-7000-8000-0000000000c0","transferId":"01939d2e-5f6a-7000-8000-000000000001","paymentId":"01939d2e-5f6a-7000-8000-000000000001","kind":"transfer","chainId":"ethereum","fromAddress":"0x00000000000000000000000000000000000000A1","derivationIndex":4,"nonce":8,"toAddress":"0x00000000000000000000000000000000000000B2","coin":"USDT","amountMinor":"2000000","gasLimit":"80000","maxFeePerGas":"3000000000","maxPriorityFeePerGas":"1000000000","hash":"a6985a72e7f0d6343b6941566e7151131fe68e735f4cb3a1638fa614eafc101c"}
{"stored":1}
{"seq":2,"at":"2026-11-20T08:00:05.000Z","companyId":"01939d2e-5f6a-7000-8000-0000000000c0","transferId":"01939d2e-5f6a-7000-8000-000000000001","paymentId":"01939d2e-5f6a-7000-8000-000000000002","kind":"gas","chainId":"ethereum","fromAddress":"0x00000000000000000000000000000000000000C3","derivationIndex":null,"nonce":0,"toAddress":"0x00000000000000000000000000000000000000A1","coin":"native","amountMinor":"400000000000000","gasLimit":"21000","maxFeePerGas":"3000000000","maxPriorityFeePerGas":"1","hash":"1f96db372416ea3312a778afcf5fe77b336163c84b5401968cf8e6bef5a446ff"}
{"seq":3,"at":"2026-11-20T08:05:00.000Z","companyId":"01939d2e-5f6a-7000-8000-0000000000c0","transferId":"01939d2e-5f6a-7000-8000-000000000001","paymentId":"01939d2e-5f6a-7000-8000-000000000001","kind":"transfer","chainId":"ethereum","fromAddress":"0x00000000000000000000000000000000000000A1","derivationIndex":4,"nonce":8,"toAddress":"0x00000000000000000000000000000000000000B2","coin":"USDT","amountMinor":"2000000","gasLimit":"80000","maxFeePerGas":"4000000000","maxPriorityFeePerGas":"1000000000","hash":"6fb7c5dfeb35bab635718278d17379f4ff5ab1e341f3f654ab0a2af15ad326a9"}
`;

/** A family that has entries of its own form, and spends what their plan names. */
interface Stone extends Intent {
  stones: readonly string[];
}
const stones: JournalFamily<Stone> = {
  name: 'stones',
  flatFields: null,
  planOf: (intent) => ({ weight: { kg: 1, a: [{ z: 1, b: 2 }] }, stones: intent.stones }),
  withPlan: (payment, plan) => ({ ...payment, stones: plan['stones'] as string[] }),
  resourcesOf: (intent) => intent.stones,
  isFromTreasury: () => false,
  isSamePayment: () => true,
  isSameAttempt: () => true,
};
const stone = (...names: string[]): Stone => {
  const id = newId();
  const { companyId, toAddress, amountMinor } = transfer;
  const ids = { companyId, transferId: id, paymentId: id };
  return {
    ...ids,
    family: 'stones',
    kind: 'transfer',
    chainId: 'quarry',
    coin: 'ROCK',
    toAddress,
    amountMinor,
    stones: names,
  };
};

const both = journalFamilies([evmJournal, stones]);
let files = 0;
function newFile(text?: string): string {
  files += 1;
  const file = join(directory, `${files}.jsonl`);
  if (text === undefined) createJournal(file, gasTank);
  else writeFileSync(file, text);
  return file;
}
function opened(file: string, families = both): Journal {
  const journal = openJournal(file, gasTank, families);
  if (!journal) throw new Error('there is a journal');
  return journal;
}

test('entries of the first version are read, their hashes hold, and the same intents give the same lines', () => {
  const journal = opened(newFile(version1));
  expect(journal.entry(1)).toMatchObject({ at: new Date('2026-11-20T08:00:00.123Z'), intent: transfer });
  expect(journal.entry(2)?.intent).toEqual(advance);
  expect(journal.entriesOf(transferId)).toEqual([transfer, { ...transfer, maxFeePerGas: 4_000_000_000n }]);
  expect(journal.related({ ...transfer, paymentId: newId() } as EvmIntent)).toHaveLength(2);
  expect(journal.related({ ...advance, paymentId: newId() } as EvmIntent)).toEqual([advance]);
  journal.close();

  const file = newFile();
  const again = opened(file);
  again.append(transfer, new Date('2026-11-20T08:00:00.123Z'));
  again.markStored();
  again.append(advance, new Date('2026-11-20T08:00:05.000Z'));
  again.append({ ...transfer, maxFeePerGas: 4_000_000_000n } as EvmIntent, new Date('2026-11-20T08:05:00.000Z'));
  again.close();
  expect(readFileSync(file, 'utf8')).toBe(version1);
});

test('entries of another family follow them, and name it', () => {
  const file = newFile(version1);
  const journal = opened(file);
  const intent = stone('a', 'b');
  const { hash } = journal.append(intent, new Date('2026-11-22T08:00:00.000Z'));
  journal.close();
  const line = readFileSync(file, 'utf8').trimEnd().split('\n').at(-1) ?? '';
  expect(line).toBe(
    `{"seq":4,"at":"2026-11-22T08:00:00.000Z","companyId":"${intent.companyId}","transferId":"${intent.transferId}",` +
      `"paymentId":"${intent.paymentId}","kind":"transfer","chainId":"quarry","family":"stones",` +
      `"toAddress":"${intent.toAddress}","coin":"ROCK","amountMinor":"2000000",` +
      `"plan":{"stones":["a","b"],"weight":{"a":[{"b":2,"z":1}],"kg":1}},"hash":"${hash}"}`,
  );
  const reopened = opened(file);
  expect(reopened.entriesOf(intent.paymentId)).toEqual([intent]);
  expect(reopened.entriesOf(transferId)).toHaveLength(2);
  reopened.close();
});

test('what an entry uses leads to it, each of its resources, on its chain alone', () => {
  const journal = opened(newFile());
  const first = stone('a', 'b');
  journal.append(first, new Date());
  expect(journal.related(stone('b'))).toEqual([first]);
  expect(journal.related(stone('c', 'a'))).toEqual([first]);
  expect(journal.related(stone('c'))).toEqual([]);
  expect(journal.related({ ...stone('a'), chainId: 'cliff' })).toEqual([]);
  journal.close();
});

test('a nonce of one chain is not that of another, whichever is signed first', () => {
  const journal = opened(newFile());
  const paymentId = newId();
  const elsewhere: EvmIntent = { ...transfer, transferId: paymentId, paymentId, chainId: 'harbour' };
  journal.append(transfer, new Date());
  expect(journal.related(elsewhere)).toEqual([]);
  journal.append(elsewhere, new Date());
  expect(journal.related({ ...elsewhere, paymentId: newId() } as EvmIntent)).toEqual([elsewhere]);
  expect(journal.related({ ...transfer, paymentId: newId() } as EvmIntent)).toEqual([transfer]);
  journal.close();
});

test('what the index finds by a hash that is the same by chance is not taken for an entry', () => {
  // Pairs with the same hash in `entry-index.ts`; the worker chooses the id of an advance.
  const [signed, chosen] = ['01939d2e-5f6a-7000-8000-00000004598b', '01939d2e-5f6a-7000-8000-0000000868b8'] as const;
  const [spent, free] = ['686139', '1224026'] as const;
  const journal = opened(newFile());
  const first = { ...stone(spent), transferId: signed, paymentId: signed };
  journal.append(first, new Date());
  expect(journal.entriesOf(signed)).toEqual([first]);
  expect(journal.entriesOf(chosen)).toEqual([]);
  expect(journal.related({ ...stone('other'), paymentId: chosen } as Stone)).toEqual([]);
  expect(journal.related(stone(spent))).toEqual([first]);
  expect(journal.related(stone(free))).toEqual([]);
  journal.close();
});

test('of the database’s entries a journal takes only the one that follows its own last, whole', () => {
  const entriesOf = (journal: Journal): JournalEntry[] =>
    [1, 2, 3].map((seq) => journal.entry(seq)).filter((entry) => entry !== null);
  const write = (file: string) => {
    const journal = opened(file);
    for (const name of ['a', 'b', 'c']) journal.append(stone(name), new Date());
    const entries = entriesOf(journal);
    journal.close();
    return entries as [JournalEntry, JournalEntry, JournalEntry];
  };
  const lost = newFile();
  const [first, second, third] = write(lost);
  const [, foreign] = write(newFile());
  const file = newFile();
  const journal = opened(file);
  journal.restore(first);
  const { at, ...rest } = second;
  const fields = JSON.parse(readFileSync(lost, 'utf8').split('\n')[2] ?? '');
  const renumbered = { ...fields, seq: 5 };
  delete renumbered.hash;
  const refused: Record<string, JournalEntry> = {
    'one is left out': third,
    'it is there already': first,
    'it is another journal’s': foreign,
    'its content is another': { ...second, intent: { ...second.intent, amountMinor: 2_000_001n } },
    'its time is another': { ...rest, at: new Date(at.getTime() + 1) },
    'its hash is another': { ...second, hash: third.hash },
    'it has another number, which its hash confirms': {
      ...second,
      seq: 5,
      hash: linkOf(first.hash, JSON.stringify(renumbered)),
    },
  };
  for (const [why, entry] of Object.entries(refused)) {
    expect(() => journal.restore(entry), why).toThrow(/does not follow entry 1 of the journal/);
    expect(journal.tip(), why).toMatchObject({ seq: 1, hash: first.hash });
  }
  journal.restore(second);
  journal.restore(third);
  journal.close();
  expect(readFileSync(file, 'utf8')).toBe(readFileSync(lost, 'utf8'));
});

test('what uses nothing is not written: nothing could stop it from being paid twice', () => {
  const file = newFile();
  const journal = opened(file);
  expect(() => journal.append(stone(), new Date())).toThrow(/uses what nothing else may use/);
  expect(journal.tip().seq).toBe(0);
  journal.close();
});

test('a program that does not know a family refuses its journal, and says which', () => {
  const file = newFile();
  const journal = opened(file);
  journal.append(stone('a'), new Date());
  journal.close();
  expect(() => opened(file, journalFamilies([evmJournal]))).toThrow(/family stones/);
});

test('payments of the last hour are counted by family and kind, on all chains, each once, also after a restart', () => {
  vi.useFakeTimers({ now: new Date('2026-11-22T12:00:00Z') });
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  const file = newFile();
  const journal = opened(file);
  journal.append({ ...advance, paymentId: newId() } as EvmIntent, minutesAgo(61));
  journal.append({ ...advance, paymentId: newId(), chainId: 'harbour' } as EvmIntent, minutesAgo(59));
  journal.append({ ...advance, nonce: 2 } as EvmIntent, minutesAgo(10));
  journal.append({ ...advance, nonce: 2, maxFeePerGas: 5n } as EvmIntent, minutesAgo(9));
  journal.append(transfer, minutesAgo(8));
  journal.append(stone('a'), minutesAgo(7));
  const counts = (of: Journal) => [
    of.countSince('evm', 'gas', minutesAgo(60)),
    // An instant itself is before the time that is counted.
    of.countSince('evm', 'gas', new Date(minutesAgo(59).getTime() - 1)),
    of.countSince('evm', 'gas', minutesAgo(59)),
    of.countSince('evm', 'gas', minutesAgo(30)),
    of.countSince('evm', 'transfer', minutesAgo(60)),
    of.countSince('stones', 'transfer', minutesAgo(60)),
    of.countSince('stones', 'gas', minutesAgo(60)),
  ];
  expect(counts(journal)).toEqual([2, 2, 1, 1, 1, 1, 0]);
  journal.close();
  const reopened = opened(file);
  expect(counts(reopened)).toEqual([2, 2, 1, 1, 1, 1, 0]);
  reopened.close();
});

test('a leg that was paid on one chain is known on every other one, also after the file was read again', () => {
  const file = newFile();
  const legs = ['01939d2e-5f6a-7000-8000-0000000000e1/bought'];
  const settlement: EvmIntent = { ...transfer, legs };
  const id = newId();
  const elsewhere: EvmIntent = { ...settlement, transferId: id, paymentId: id, chainId: 'harbour', nonce: 9 };
  const rule = { journal: evmJournal as unknown as JournalFamily, resourceTaken: 'nonce-taken' as const };
  const written = opened(file);
  written.append(settlement, new Date());
  expect(refusalOf(rule, elsewhere, written.related(elsewhere))).toBe('nonce-taken');
  // A nonce is each chain's own.
  expect(written.related({ ...elsewhere, nonce: settlement.nonce, legs: undefined } as EvmIntent)).toEqual([]);
  written.close();
  const again = opened(file);
  expect(again.related(elsewhere)).toEqual([settlement]);
  again.close();
});

test('what left the treasury within a day is counted by coin, each payment once, also after the file was read again', () => {
  const file = newFile();
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
  let nonces = 0;
  const settlement = (coin: string, amountMinor: bigint): EvmIntent => {
    nonces += 1;
    const id = newId();
    return { ...transfer, transferId: id, paymentId: id, derivationIndex: null, nonce: nonces, coin, amountMinor };
  };
  const written = opened(file);
  written.append(settlement('USDC', 1000n), hoursAgo(25));
  const twice = settlement('USDC', 100n);
  written.append(twice, hoursAgo(23));
  written.append({ ...twice, maxFeePerGas: 9_000_000_000n } as EvmIntent, hoursAgo(22));
  written.append(settlement('USDC', 10n), hoursAgo(1));
  written.append(settlement('ETH', 7n), hoursAgo(1));
  written.append({ ...settlement('USDC', 5n), derivationIndex: 4 } as EvmIntent, hoursAgo(1));
  const paid = (of: Journal) => [
    of.treasuryPaidSince('evm', 'USDC', hoursAgo(24)),
    of.treasuryPaidSince('evm', 'USDC', hoursAgo(2)),
    of.treasuryPaidSince('evm', 'ETH', hoursAgo(24)),
    of.treasuryPaidSince('stones', 'USDC', hoursAgo(24)),
  ];
  expect(paid(written)).toEqual([110n, 10n, 7n, 0n]);
  written.close();
  const again = opened(file);
  expect(paid(again)).toEqual([110n, 10n, 7n, 0n]);
  again.close();
});

import { copyFileSync, readFileSync, rmSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findRestoreMode, type RestoreMode } from '../../../platform/database/restore-mode.ts';
import * as asked from '../../../testing/asked-signer.ts';
import { approvedTransfer, fundedCompany } from '../../../testing/chain-transfers.ts';
import { type ChainWorld, type Company, chainWorld } from '../../../testing/chain-world.ts';
import { type EvmRequest, transferRequest, withNonce } from '../../../testing/evm-requests.ts';
import type { PaymentRequest } from '../index.ts';

const payee = '0x00000000000000000000000000000000000A11cE';
let world: ChainWorld;
let company: Company;
beforeAll(async () => {
  world = await chainWorld();
  company = await fundedCompany(world, '1000');
});
afterAll(() => world.close());

let nonce = 0;
async function authorised(): Promise<EvmRequest> {
  const transferId = await approvedTransfer(world, company, { coin: 'USDT', amountMinor: 2_000_000n, payee });
  nonce += 1;
  return transferRequest(company.id, transferId, nonce);
}

const signed = (request: PaymentRequest) => asked.signed(world.signer, request);
const refusalOf = (request: PaymentRequest) => asked.refusalOf(world.signer, request);
const restoreMode = (): Promise<RestoreMode | null> => world.db.worker.withoutCompany(findRestoreMode);
const release = () => asked.releaseRestoreMode(world);

interface Stored {
  seq: number;
  txHash: string | null;
  imported: boolean;
}

async function stored(transferId: string): Promise<Stored[]> {
  const { rows } = await world.db.worker.withoutCompany((tx) =>
    sql<Stored>`select seq, tx_hash as "txHash", imported from signer_journal where transfer_id = ${transferId}
      order by seq`.execute(tx),
  );
  return rows;
}

const idOf = (request: PaymentRequest) => request.transferId;

test('an entry is in the file and in the database, the same, with the hash under which it goes out', async () => {
  const request = await authorised();
  const { hash } = await signed(request);
  expect(await stored(idOf(request))).toMatchObject([{ txHash: hash, imported: false }]);
  expect(readFileSync(world.journalFile, 'utf8')).toContain(idOf(request));
  expect(await world.compare()).toMatchObject({ agrees: true, isRestoring: false });
});

describe('a signer that dies between its file and the database', () => {
  test.each(['asked again at once', 'restarted'])(
    'stores the entry later, gives the same bytes, and goes on: %s',
    async (how) => {
      const request = await authorised();
      await world.asSuperuser('revoke insert on causeway.signer_journal from causeway_signer');
      await expect(world.signer.sign(request)).rejects.toThrow();
      await world.asSuperuser('grant insert on causeway.signer_journal to causeway_signer');
      expect(await stored(idOf(request))).toEqual([]);
      if (how === 'restarted') {
        await world.stopSigner();
        await world.startSigner();
      }
      const { hash } = await signed(request);
      expect(await stored(idOf(request))).toMatchObject([{ txHash: hash, imported: true }]);
      expect(await restoreMode()).toBeNull();
      expect(await refusalOf(withNonce(request, request.plan.nonce + 500))).toBe('other-payment');
    },
  );
});

test('an entry whose storing was interrupted is stored once: the database that loses it again was put back', async () => {
  const request = await authorised();
  await world.asSuperuser('revoke insert on causeway.signer_journal from causeway_signer');
  await expect(world.signer.sign(request)).rejects.toThrow();
  await world.asSuperuser('grant insert on causeway.signer_journal to causeway_signer');
  expect(await world.compare()).toMatchObject({ agrees: true, isRestoring: false });
  await world.asSuperuser(
    `alter table causeway.signer_journal disable trigger append_only;
     delete from causeway.signer_journal where transfer_id = '${idOf(request)}';
     alter table causeway.signer_journal enable trigger append_only;`,
  );
  expect(await world.compare()).toMatchObject({ agrees: true, isRestoring: true });
  expect(await restoreMode()).toMatchObject({ cause: 'journal_ahead' });
  await release();
});

describe('a database that was put back', () => {
  test.each([
    ['under a running signer, by the next request', 3, false],
    ['under a running signer, by one entry', 1, false],
    ['before the signer starts', 3, true],
    ['by one entry, before the signer starts', 1, true],
  ])('is noticed %s: nothing is signed, and what was signed is brought back', async (_, count, whileStopped) => {
    const requests = await Promise.all(Array.from({ length: count }, authorised));
    const waiting = await authorised();
    await world.backUp('before');
    const hashes: string[] = [];
    for (const request of requests) hashes.push((await signed(request)).hash);
    if (whileStopped) await world.stopSigner();
    await world.restore('before');
    for (const request of requests) expect(await stored(idOf(request))).toEqual([]);
    if (whileStopped) await world.startSigner();

    expect(await world.signer.sign(waiting)).toEqual({ signed: false, refusal: 'restoring', journaled: false });
    expect(await restoreMode()).toMatchObject({ cause: 'journal_ahead', begunBy: 'signer' });
    for (const [index, request] of requests.entries()) {
      expect(await stored(idOf(request))).toMatchObject([{ txHash: hashes[index], imported: true }]);
      expect(await refusalOf(request)).toBe('restoring');
    }
    expect(await world.compare()).toMatchObject({ agrees: true, isRestoring: true });

    await release();
    for (const [index, request] of requests.entries()) {
      expect(await refusalOf(withNonce(request, request.plan.nonce + 500))).toBe('other-payment');
      expect((await signed(request)).hash).toBe(hashes[index]);
      expect(await refusalOf(withNonce(waiting, request.plan.nonce))).toBe('nonce-taken');
    }
    expect(await refusalOf(waiting)).toBe('signed');
  });

  test('is noticed by the comparison alone, before anything is asked', async () => {
    await world.backUp('before');
    await signed(await authorised());
    await world.restore('before');
    expect(await world.compare()).toMatchObject({
      isRestoring: true,
      finding: expect.stringContaining('had lost 1 entries'),
    });
    await release();
  });
});

test('a journal that was put back is noticed, nothing is signed, and the database makes it good', async () => {
  const older = `${world.journalFile}.older`;
  copyFileSync(world.journalFile, older);
  const requests = [await authorised(), await authorised()];
  for (const request of requests) await signed(request);
  await world.stopSigner();
  const whole = asked.journalEntries(world);
  copyFileSync(older, world.journalFile);
  await world.startSigner();
  expect(await refusalOf(await authorised())).toBe('restoring');
  expect(await restoreMode()).toMatchObject({ cause: 'database_ahead' });
  expect(await world.compare()).toMatchObject({ agrees: false });

  await world.stopSigner();
  expect(await world.rebuildJournal()).toMatchObject({ added: 2 });
  const again = asked.journalEntries(world);
  expect(again).toEqual(whole);
  await world.startSigner();
  expect(await world.compare()).toMatchObject({ agrees: true, isRestoring: true });
  await release();
  for (const request of requests) expect(await refusalOf(withNonce(request, 700))).toBe('other-payment');
});

test('a journal that is missing stops the signer with the command that mends it, and never begins anew by itself', async () => {
  const request = await authorised();
  await signed(request);
  await world.stopSigner();
  const whole = asked.journalEntries(world);
  rmSync(world.journalFile);
  await expect(world.startSigner()).rejects.toThrow(/is missing.*signer-journal\.ts rebuild/);
  await expect(world.startSigner()).rejects.toThrow(/is missing/);
  expect(await world.rebuildJournal()).toMatchObject({ added: whole.length, entries: whole.length });
  expect(asked.journalEntries(world)).toEqual(whole);
  await world.startSigner();
  expect(await refusalOf(request)).toBe('restoring');
  expect(await restoreMode()).toMatchObject({ cause: 'journal_rebuilt' });
  await release();
  expect(await refusalOf(withNonce(request, 701))).toBe('other-payment');
});

test('a journal that is another one than the database’s stops everything, and is not made good by itself', async () => {
  await signed(await authorised());
  await world.asSuperuser(
    `alter table causeway.signer_journal disable trigger append_only;
     update causeway.signer_journal set entry_hash = repeat('0', 64) where seq = (select max(seq) from causeway.signer_journal);`,
  );
  expect(await refusalOf(await authorised())).toBe('restoring');
  expect(await restoreMode()).toMatchObject({ cause: 'journal_differs' });
  expect(await world.compare()).toMatchObject({ agrees: false });
  await world.stopSigner();
  const last = asked.journalEntries(world).at(-1) ?? '';
  await world.asSuperuser(
    `update causeway.signer_journal set entry_hash = '${JSON.parse(last).hash}'
     where seq = (select max(seq) from causeway.signer_journal);
     alter table causeway.signer_journal enable trigger append_only;`,
  );
  await world.startSigner();
  await release();
  expect(await refusalOf(await authorised())).toBe('signed');
});

test('a full disk: nothing is signed, the payment keeps its nonce, and goes on with room', async () => {
  const request = await authorised();
  world.disk.isFull = true;
  expect(await world.signer.sign(request)).toEqual({ signed: false, refusal: 'journal-unwritable', journaled: true });
  expect(await stored(idOf(request))).toEqual([]);
  world.disk.isFull = false;
  const { hash } = await signed(request);
  expect(await stored(idOf(request))).toMatchObject([{ txHash: hash, imported: false }]);
});

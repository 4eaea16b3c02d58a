import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as payments from '@causeway/contract/cards-payments.ts';
import * as receipts from '@causeway/contract/cards-receipts.ts';
import { uploadFile } from '@causeway/contract/files.ts';
import { exportTransactions, getTransaction, listTransactions } from '@causeway/contract/transactions.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../platform/ids.ts';
import {
  askCard,
  asking,
  type Carded,
  type CardWorld,
  carded,
  cardWorld,
  eventOf,
  insertTestCard,
  sayOfCard,
} from '../../testing/cards.ts';
import type { Member } from '../../testing/main-app.ts';
import { role } from '../../testing/organisation.ts';
import { exif, photo } from '../../testing/photos.ts';
import { race } from '../../testing/race.ts';
import { succeed } from '../../testing/succeed.ts';
import { unzip } from '../../testing/unzip.ts';
import { remindOfReceipts } from './jobs.ts';
import { isHand, mayChange } from './service/payments.ts';

/** Receipts of card payments: who sees and changes them, what is missing, and what the accountant gets. */

const rounds = Number(process.env['PROOF_ROUNDS'] ?? 6);
let of: CardWorld;
let card: Carded;
let admin: Member;
let holder: Member;
let viewer: Member;
/** Of the holder's card, which the administrator is not. */
let held: Pick<Carded, 'token' | 'cardId'>;

beforeAll(async () => {
  of = await cardWorld();
  card = await carded(of);
  ({ admin } = card.company);
  holder = await of.world.member(card.company, 'viewer');
  viewer = await of.world.member(card.company, 'viewer');
  held = await insertTestCard(of.db, card.company, card.walletId, { holderId: holder.session.userId });
});
afterAll(async () => {
  expect(of.world.complaints).toEqual([]);
  await of.close();
});

const merchantOf = (name: string) => ({ name, mcc: '5812', city: 'Hong Kong', country: 'HK' });
/** @returns the id of a payment that was cleared */
async function pay(of: CardWorld, by: Pick<Carded, 'token'>, merchant: string, amountMinor = 1_000n): Promise<string> {
  const asked = asking(by, { merchant: merchantOf(merchant) });
  await sayOfCard(of, [eventOf(asked, { amountMinor, isLast: true, merchant: merchantOf(merchant) })]);
  const { rows } = await of.db.app.withCompany(card.company.id, (tx) =>
    sql<{ id: string }>`select id from card_purchase where token = ${asked.purchaseToken}`.execute(tx),
  );
  return rows[0]?.id ?? '';
}
const pdf = Buffer.from('%PDF-1.7\n%%EOF\n');
const uploaded = async (as: Member, name = 'receipt.pdf', content: Buffer = pdf) =>
  (await succeed(of.world, payments.uploadCardReceipt, { as, upload: { name, content } })).data.id;
async function add(as: Member, paymentId: string, fileId?: string): Promise<string> {
  const body = {
    id: newId(),
    fileId: fileId ?? (await uploaded(as)),
    paymentId,
    amount: null,
    date: null,
    merchant: '',
  };
  await succeed(of.world, payments.addCardReceipt, { as, body });
  return body.id;
}
const shown = async (as: Member, id: string) =>
  (await succeed(of.world, receipts.getCardPayment, { as, params: { id } })).data;
const missing = async (as: Member) => (await succeed(of.world, receipts.countMissingCardReceipts, { as })).data;
const keyOf = async (call: Parameters<typeof of.world.ask>[0], as: Member, given: object) =>
  (await of.world.ask(call, { as, ...given })).key;

describe('a receipt', () => {
  test('is stored without where its photo was taken, and opened by those whom it concerns', async () => {
    const id = await pay(of, held, 'Kowloon Taxi');
    expect(await missing(holder)).toEqual({ mine: 1, company: 1 });
    expect(await shown(holder, id)).toMatchObject({
      receipt: 'missing',
      can: { addReceipt: true, changeReceipt: false },
    });
    expect(await shown(viewer, id)).toMatchObject({ can: { addReceipt: false, changeReceipt: false } });
    const receipt = await add(holder, id, await uploaded(holder, 'IMG 1.jpg', photo(exif(6, true))));
    const params = { id: receipt };
    for (const as of [holder, viewer, admin]) {
      const { raw } = await succeed(of.world, receipts.downloadCardReceipt, { as, params });
      expect(raw.headers['content-type']).toBe('image/jpeg');
      expect(raw.headers['content-disposition']).toContain('attachment; filename="IMG 1.jpg"');
      expect(raw.headers['x-content-type-options']).toBe('nosniff');
      expect(raw.rawPayload.includes('GPS')).toBe(false);
      expect(raw.rawPayload.subarray(0, 2).toString('hex')).toBe('ffd8');
    }
    expect(await missing(holder)).toEqual({ mine: 0, company: 0 });
    expect(await shown(holder, id)).toMatchObject({
      receipt: 'matched',
      receiptFile: { name: 'IMG 1.jpg', type: 'image/jpeg' },
      can: { addReceipt: false, changeReceipt: true },
    });
    const blind = await of.world.member(card.company, await role(of.world, card.company));
    expect(await keyOf(receipts.downloadCardReceipt, blind, { params })).toBe('cardReceiptNotFound');
    expect(await keyOf(receipts.getCardPayment, blind, { params: { id } })).toBe('cardPaymentNotFound');
    expect(await missing(blind)).toEqual({ mine: 0, company: null });
    // A file that came another way is stripped when it leaves.
    const other = await pay(of, card, 'Peak Tram');
    const upload = { name: 'tram.jpg', content: photo(exif(6, true)) };
    const { id: fileId } = (await succeed(of.world, uploadFile, { as: admin, upload })).data;
    const { raw } = await succeed(of.world, receipts.downloadCardReceipt, {
      as: admin,
      params: { id: await add(admin, other, fileId) },
    });
    expect(raw.rawPayload.includes('GPS')).toBe(false);
  });

  test('that cannot be opened is refused with what to do', async () => {
    const heic = Buffer.from('\0\0\0\u0018ftypheic\0\0\0\0', 'latin1');
    const refused = (content: Buffer) =>
      keyOf(payments.uploadCardReceipt, holder, { upload: { name: 'IMG.HEIC', content } });
    expect(await refused(heic)).toBe('cardReceiptHeic');
    expect(await refused(photo().subarray(0, 12))).toBe('cardReceiptDamaged');
    expect(await refused(Buffer.alloc(0))).toBe('fileEmpty');
    expect(await refused(Buffer.from('<script>alert(1)</script>'))).toBe('fileTypeNotAllowed');
    expect(await refused(Buffer.concat([pdf, Buffer.alloc(10 * 1024 * 1024)]))).toBe('fileTooLarge');
  });

  test('is replaced and removed by its holder, who manages cards, and who added it, and by no one else', async () => {
    const id = await pay(of, held, 'Wan Chai Deli');
    const first = await add(holder, id);
    const replacing = async (as: Member, receipt: string) => ({
      body: { id: receipt, newId: newId(), fileId: await uploaded(as, 'second.pdf') },
    });
    expect(await keyOf(receipts.replaceCardReceipt, viewer, await replacing(viewer, first))).toBe(
      'cardReceiptNotFound',
    );
    expect(await keyOf(payments.removeCardReceipt, viewer, { body: { id: first } })).toBe('cardReceiptNotFound');
    const next = await replacing(holder, first);
    expect(await keyOf(receipts.replaceCardReceipt, holder, { body: { ...next.body, fileId: newId() } })).toBe(
      'cardReceiptFileUnknown',
    );
    expect(await keyOf(receipts.replaceCardReceipt, holder, { body: { ...next.body, newId: first } })).toBe('idTaken');
    expect((await shown(holder, id)).receiptId).toBe(first);
    // Twice: the answer may be lost on its way.
    for (let time = 0; time < 2; time += 1) {
      await succeed(of.world, receipts.replaceCardReceipt, { as: holder, ...next });
    }
    expect(await shown(admin, id)).toMatchObject({ receiptId: next.body.newId, receiptFile: { name: 'second.pdf' } });
    expect(await keyOf(receipts.downloadCardReceipt, holder, { params: { id: first } })).toBe('cardReceiptNotFound');
    await succeed(of.world, payments.removeCardReceipt, { as: admin, body: { id: next.body.newId } });
    expect(await shown(holder, id)).toMatchObject({ receipt: 'missing', receiptId: null });
    const { rows } = await of.db.app.withCompany(card.company.id, (tx) =>
      sql<{ action: string }>`
        select action from audit_event where company_id = company_id() and action like 'cards.%Receipt' and detail ->> 'transactionId' = ${id} order by at, id`.execute(
        tx,
      ),
    );
    expect(rows.map(({ action }) => action)).toEqual([
      'cards.addReceipt',
      'cards.replaceReceipt',
      'cards.removeReceipt',
    ]);
  });

  test('of what is only held leaves it without one when it is removed, and a waived payment takes one all the same', async () => {
    const asked = asking(held, { amountMinor: 1_500n });
    await askCard(of, asked);
    const of2 = (
      await succeed(of.world, payments.listCardPayments, { as: holder, query: { mine: 'true', state: 'held' } })
    ).data.items;
    const id = of2[0]?.id ?? '';
    const receipt = await add(holder, id);
    await succeed(of.world, payments.removeCardReceipt, { as: holder, body: { id: receipt } });
    expect((await shown(holder, id)).receipt).toBe('none');
    await sayOfCard(of, [eventOf(asked, { amountMinor: 1_500n, isLast: true })]);
    const waiver = { as: admin, body: { paymentId: id, note: 'the machine was out of paper' } };
    await succeed(of.world, payments.waiveCardReceipt, waiver);
    expect(await shown(holder, id)).toMatchObject({ receipt: 'waived', receiptNote: 'the machine was out of paper' });
    await add(holder, id);
    expect(await shown(holder, id)).toMatchObject({ receipt: 'matched', receiptNote: '' });
    // What was released took no money, and so needs none.
    const released = asking(held, { amountMinor: 100n });
    await askCard(of, released);
    await sayOfCard(of, [eventOf(released, { type: 'reversed', amountMinor: 100n })]);
    const { items } = (
      await succeed(of.world, payments.listCardPayments, { as: holder, query: { mine: 'true', state: 'released' } })
    ).data;
    expect(items[0]).toMatchObject({ can: { addReceipt: false } });
    const body = {
      ...{ id: newId(), fileId: await uploaded(holder), paymentId: items[0]?.id, amount: null, date: null },
      merchant: '',
    };
    expect(await keyOf(payments.addCardReceipt, holder, { body })).toBe('cardPaymentNotFound');
  });

  test('that fits several payments is added to none, and then to the one that is chosen; a repetition answers as before', async () => {
    const [one] = [await pay(of, held, 'Twin Tea', 4_200n), await pay(of, held, 'Twin Tea', 4_200n)];
    const day = new Date().toISOString().slice(0, 10);
    const said = { amount: '42', date: day, merchant: 'twin tea' };
    const body = { id: newId(), fileId: await uploaded(holder), paymentId: null, ...said };
    const first = (await succeed(of.world, payments.addCardReceipt, { as: holder, body })).data;
    expect([first.paymentId, first.candidates.length]).toEqual([null, 2]);
    const chosen = { as: holder, body: { ...body, paymentId: one } };
    for (let time = 0; time < 2; time += 1) {
      expect((await succeed(of.world, payments.addCardReceipt, chosen)).data.paymentId).toBe(one);
    }
    expect(
      await keyOf(payments.addCardReceipt, holder, { body: { ...chosen.body, fileId: await uploaded(holder) } }),
    ).toBe('cardReceiptTaken');
    // The other one alone is left.
    const rest = { ...body, id: newId(), fileId: await uploaded(holder) };
    expect(
      (await succeed(of.world, payments.addCardReceipt, { as: holder, body: rest })).data.paymentId,
    ).not.toBeNull();
    // Another member's payments are not offered to one who does not manage cards.
    await pay(of, card, 'Lonely Noodles', 7_700n);
    const strange = { ...body, id: newId(), fileId: await uploaded(holder), amount: '77', merchant: 'lonely' };
    expect((await succeed(of.world, payments.addCardReceipt, { as: holder, body: strange })).data.candidates).toEqual(
      [],
    );
  });

  test('and its waiver, and two at once: one wins, and the state says which', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const id = await pay(of, card, 'Race Café');
      const body = {
        id: newId(),
        fileId: await uploaded(admin),
        paymentId: id,
        amount: null,
        date: null,
        merchant: '',
      };
      const adding = () => of.world.ask(payments.addCardReceipt, { as: admin, body });
      const waiving = () =>
        of.world.ask(payments.waiveCardReceipt, { as: admin, body: { paymentId: id, note: 'none' } });
      const [added] = await race(of.db, round, adding, waiving);
      expect(added.status).toBe(200);
      expect((await shown(admin, id)).receipt).toBe('matched');
      const next = { id: body.id, newId: newId(), fileId: body.fileId };
      const [replaced, removed] = await race(
        of.db,
        round,
        () => of.world.ask(receipts.replaceCardReceipt, { as: admin, body: next }),
        () => of.world.ask(payments.removeCardReceipt, { as: admin, body: { id: body.id } }),
      );
      expect([replaced.status, removed.status].toSorted()).toEqual([200, 404]);
      expect((await shown(admin, id)).receiptId).toBe(replaced.status === 200 ? next.newId : null);
      expect((await shown(admin, id)).receipt).toBe(replaced.status === 200 ? 'matched' : 'missing');
    }
  });
});

test('the reminder leads to the payment where it is one, and to the list where they are several', async () => {
  const world = await carded(of);
  const linkOf = async () => {
    await of.db.app.withCompany(world.company.id, (tx) =>
      sql`update card_purchase set cleared_at = now() - interval '8 days' where reminded_at is null`.execute(tx),
    );
    await of.db.worker.withCompany(world.company.id, remindOfReceipts);
    const { rows } = await of.db.worker.withCompany(world.company.id, (tx) =>
      sql<{ link: string }>`
        select link from notice where company_id = company_id() and kind = 'card.receiptsMissing' order by created_at desc, id desc limit 1`.execute(
        tx,
      ),
    );
    return rows[0]?.link;
  };
  await sayOfCard(of, [eventOf(asking(world), { amountMinor: 700n })]);
  expect(await linkOf()).toMatch(/^\/app\/wallet\/credit-card\/receipt\/[0-9a-f-]{36}$/);
  for (const amountMinor of [100n, 200n]) await sayOfCard(of, [eventOf(asking(world), { amountMinor })]);
  expect(await linkOf()).toBe('/app/wallet/credit-card/payments?receipt=missing&mine=true');
});

test('the archive holds the receipts under names of its own, and a CSV that names each, also where a file is gone', async () => {
  const world = await carded(of);
  const as = world.company.admin;
  const hostile = `../../etc/passwd\\..\\=HYPERLINK("x") 海港茶餐廳 “é”/:*?<>|${'x'.repeat(80)}`;
  const ids: Record<string, string> = {};
  for (const [name, amountMinor] of [
    [hostile, 23_050n],
    ['Lost Found', 100n],
    ['No Receipt', 200n],
  ] as const) {
    const asked = asking(world, { merchant: merchantOf(name) });
    await sayOfCard(of, [eventOf(asked, { amountMinor, isLast: true, merchant: merchantOf(name) })]);
  }
  const listed = (await succeed(of.world, payments.listCardPayments, { as, query: {} })).data.items;
  for (const { id, amount } of listed) ids[amount] = id;
  await add(as, ids['230.50'] ?? '', await uploaded(as, '..\\..\\evil.pdf.exe', photo(exif(3, false))));
  const before = new Set(stored());
  await add(as, ids['1.00'] ?? '');
  const lost = stored().filter((path) => !before.has(path));
  expect(lost).toHaveLength(1);
  for (const path of lost) rmSync(path);
  const query = { from: '2026-01-01', to: '2026-12-31' };
  const { raw } = await succeed(of.world, receipts.exportCardReceiptFiles, { as, query });
  expect(raw.headers['content-type']).toBe('application/zip');
  const files = unzip(raw.rawPayload);
  const [receipt, csv] = files;
  expect(files).toHaveLength(2);
  expect(receipt?.name).toMatch(
    /^receipts\/\d{4}-\d\d-\d\d_etc-passwd-HYPERLINK-x-海港茶餐廳-é-x+_230\.50-HKD_[0-9a-f-]{36}\.jpg$/,
  );
  expect(receipt?.name.length).toBeLessThan(130);
  expect(receipt?.content.includes('GPS')).toBe(false);
  expect(csv?.name).toBe('payments.csv');
  const lines = (csv?.content.toString() ?? '').split('\r\n');
  expect(lines.find((line) => line.includes('-230.50'))).toContain(receipt?.name);
  expect(lines.find((line) => line.includes('Lost Found'))).toContain('The file could not be read');
  expect(lines.find((line) => line.includes('No Receipt'))).toContain('Missing');
  expect(await keyOf(receipts.exportCardReceiptFiles, as, { query: { from: '2026-02-01', to: '2026-01-01' } })).toBe(
    'cardPeriodInvalid',
  );
  expect(await keyOf(receipts.exportCardReceiptFiles, viewer, { query })).toBe('noPermission');
});

function stored(): string[] {
  return readdirSync(of.world.filesDirectory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

test('a transaction says its card, in the list, in the detail and in the export', async () => {
  const world = await carded(of);
  const as = world.company.admin;
  const other = await insertTestCard(of.db, world.company, world.walletId);
  const asked = asking(world, { merchantAmount: { amount: '10', currency: 'EUR', rate: '10' } });
  const merchantAmount = { amount: '10.5', currency: 'EUR', rate: '10' };
  await sayOfCard(of, [
    eventOf(asked, { amountMinor: 10_500n, merchantAmount }),
    eventOf(asked, { type: 'refunded', amountMinor: 500n }),
    eventOf(asking(other), { amountMinor: 900n }),
  ]);
  const listed = async (cardId: string) =>
    (await succeed(of.world, listTransactions, { as, query: { cardId } })).data.items;
  expect((await listed(world.cardId)).map(({ type }) => type).toSorted()).toEqual(['card_payment', 'card_refund']);
  expect((await listed(other.cardId)).map(({ quantity }) => quantity)).toEqual(['9.00']);
  // A card of another company finds nothing.
  expect(await listed(card.cardId)).toEqual([]);
  const [payment] = (await listed(world.cardId)).filter(({ type }) => type === 'card_payment');
  const { data } = await succeed(of.world, getTransaction, { as, params: { id: payment?.id ?? '' } });
  expect(data.card).toMatchObject({
    ...{ id: world.cardId, name: 'Travel', merchant: 'Star Ferry Café', group: 'restaurants', country: 'HK' },
    ...{ merchantAmount: '10.50', merchantCurrency: 'EUR', rate: '10', receipt: 'missing' },
  });
  const csv = (await succeed(of.world, exportTransactions, { as, query: { cardId: world.cardId } })).raw.body;
  const line = csv.split('\r\n').find((one) => one.includes('105.00')) ?? '';
  expect(line).toContain('Travel ·· 4242');
  expect(line).toContain('Star Ferry Café,Restaurants (5812),HK,10.50,EUR');
});

test('an operator who looks at a company is offered nothing to do with receipts, even as its holder', async () => {
  const { session } = (await of.world.company()).admin;
  const receipt = { holderId: session.userId, addedBy: session.userId };
  for (const offered of [isHand, mayChange]) {
    expect(offered(receipt, session)).toBe(true);
    expect(offered(receipt, { ...session, isLook: true })).toBe(false);
  }
});

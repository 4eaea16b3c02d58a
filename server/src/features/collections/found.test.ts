import { refundPaymentRequest } from '@causeway/contract/payment-requests-refund.ts';
import { downloadReceipt, exportTransactions, listTransactions } from '@causeway/contract/transactions.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type CollectionWorld,
  collectionWorld,
  detail,
  opened,
  paid,
  refundPayee,
  refundRequest,
  usdt,
  work,
} from '../../testing/collections.ts';
import type { Member } from '../../testing/main-app.ts';
import { pdfText } from '../../testing/pdf.ts';
import { present } from '../../testing/present.ts';
import { succeed } from '../../testing/succeed.ts';
import { insertTestTransaction } from '../../testing/transactions.ts';

/** The transactions of a payment request among all of the company: found by it, exported and receipted with its name. */

let of: CollectionWorld;
beforeAll(async () => {
  of = await collectionWorld();
});
afterAll(async () => {
  expect(of.world.complaints).toEqual([]);
  await of.close();
});

const found = async (as: Member, query: Record<string, string>) =>
  (await succeed(of.world, listTransactions, { as, query })).data.items.map(({ id }) => id).toSorted();

test('payments of a request and refunds of it are found by it, and by those of no other company', async () => {
  const [company, other] = [await of.world.company(), await of.world.company()];
  const as = company.admin;
  const [first, second] = [await opened(of, company), await opened(of, company)];
  await paid(of, first, 130n * usdt);
  await paid(of, second, 100n * usdt);
  const payment = present((await detail(of, as, first.id)).receipts[0]);
  const payeeId = await refundPayee(of, as);
  const refund = await refundRequest(of, first, { paymentId: payment.id, payeeId, amount: '30' });
  await succeed(of.world, refundPaymentRequest, refund);
  await work(of);
  const ofSecond = (await detail(of, as, second.id)).receipts.map(({ id }) => id);
  expect(await found(as, { request: first.id })).toEqual([payment.id, refund.body.id].toSorted());
  expect(await found(as, { request: second.id })).toEqual(ofSecond);
  expect(await found(as, { request: first.id, type: 'chain_deposit', amountMin: '130' })).toEqual([payment.id]);
  expect(await found(other.admin, { request: first.id })).toEqual([]);
});

test.each([
  ['en-us', 'Payment request,Reference of the payment request', 'Payment request'],
  ['zh-hk', '收款請求,收款請求參考編號', '收款請求'],
  ['zh-cn', '收款请求,收款请求参考编号', '收款请求'],
])('in %s an export has title and reference, and a receipt names them', async (locale, headings, label) => {
  const company = await of.world.company();
  const headers = { 'accept-language': locale };
  await insertTestTransaction(of.db, company);
  const request = await opened(of, company, { title: 'Deposit for March', reference: 'INV-7' });
  await paid(of, request, 100n * usdt);
  const csv = await of.world.ask(exportTransactions, { as: company.admin, headers, query: {} });
  const lines = csv.raw.body.trim().split('\r\n');
  expect(lines[0]).toContain(`,${headings},`);
  const column = present(lines[0]).split(',').indexOf(label);
  const cells = lines.slice(1).map((line) => line.split(',').slice(column, column + 2));
  // The deposit before it is of no request.
  expect(cells.toSorted()).toEqual([
    ['', ''],
    ['Deposit for March', 'INV-7'],
  ]);
  const { id } = present((await detail(of, company.admin, request.id)).receipts[0]);
  const receipt = await of.world.ask(downloadReceipt, { as: company.admin, headers, params: { id } });
  const text = await pdfText(receipt.raw.rawPayload);
  expect(text).toContain(label);
  expect(text).toContain('Deposit for March · INV-7');
});

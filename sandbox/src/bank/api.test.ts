import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { Airwallex } from '@airwallex/node-sdk';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listenHttp } from '../http-listen.ts';
import { type Bank, startBank } from './bank.ts';
import { atTime } from './calendar.ts';
import { CLIENT_ID } from './connections.ts';
import { settingsOf } from './ledger.ts';
import { signatureOf } from './webhooks.ts';

/** The vendor's own client, sent to the sandbox in place of the vendor. */
class SandboxAirwallex extends Airwallex {
  override get basePath(): string {
    return bank.api.url;
  }
}

type Received = { timestamp: string; signature: string; body: string };

let bank: Bank;
let sdk: Airwallex;
let apiKey = '';
let receiver: Server | undefined;
let machine = 0;

beforeEach(async () => {
  machine = atTime('2026-11-23', '09:00');
  bank = await startBank({ machine: () => machine, everyMs: 50, webhookRetryMs: 20 });
  apiKey = (await readFile(join(bank.dir, 'keys/api-key'), 'utf8')).trim();
  sdk = new SandboxAirwallex({ clientId: CLIENT_ID, apiKey, env: 'demo', enableTelemetry: false, retry: 0 });
});

afterEach(async () => {
  sdk._cleanup();
  await bank.stop();
  receiver?.closeAllConnections();
  receiver?.close();
  receiver = undefined;
});

/** Takes events as the product does; answers what `status` says. */
async function receive(status: (body: string) => number = () => 200): Promise<Received[]> {
  const events: Received[] = [];
  receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      const { 'x-timestamp': timestamp, 'x-signature': signature } = request.headers;
      events.push({ timestamp: String(timestamp), signature: String(signature), body });
      response.writeHead(status(body)).end();
    });
  });
  const port = await listenHttp(receiver, 0, 'events');
  await setWebhook({ url: `http://127.0.0.1:${port}/`, mode: 'on' });
  return events;
}

const setWebhook = (webhooks: { url: string; mode: 'on' | 'held' }) =>
  bank.change((turn) => turn.put('settings', 'now', { ...settingsOf(turn), webhooks }));

const setPayouts = (mode: 'settle' | 'accept' | 'delay' | 'refuse') =>
  bank.change((turn) => turn.put('settings', 'now', { ...settingsOf(turn), payouts: { mode, reason: 'AC04' } }));

const globalAccount = (currency = 'SGD', requestId = `ga-${currency}`) =>
  sdk.coreResources.globalAccount.createGlobalAccount({
    country_code: 'SG',
    nick_name: 'Acme',
    request_id: requestId,
    required_features: [{ currency, transfer_method: 'LOCAL' }],
  });

async function fund(amount: number, currency = 'SGD'): Promise<string> {
  const { id } = await globalAccount(currency);
  const deposit = await sdk.simulation.deposits.createDeposit({
    amount,
    global_account_id: id,
    payer_name: 'A Payer',
    reference: 'RF18539007547034',
  });
  return String(deposit.id);
}

const beneficiary = {
  entity_type: 'COMPANY',
  type: 'BANK_ACCOUNT',
  company_name: 'Tan Trading',
  bank_details: {
    account_currency: 'SGD',
    account_name: 'Tan Trading',
    account_number: '123456789',
    bank_country_code: 'SG',
    swift_code: 'OTHRSGSG',
  },
};

const transferRequest = (amount: string, requestId = 'T-1', currency = 'SGD') => ({
  beneficiary,
  reason: 'payment_to_supplier',
  reference: 'Invoice 7',
  request_id: requestId,
  source_currency: currency,
  transfer_amount: amount,
  transfer_currency: currency,
  transfer_method: 'LOCAL',
});

const balance = (currency = 'SGD') =>
  bank.records
    .all('accounts')
    .find((account) => account.bank === 'meridian' && account.kind === 'customer' && account.currency === currency)
    ?.balance;

test('the SDK signs in, opens an account, sees what arrives there, and reads it back', async () => {
  const account = await globalAccount();
  expect(account).toMatchObject({
    status: 'ACTIVE',
    account_number: expect.stringMatching(/^997001\d{7}$/),
    swift_code: 'MRDPSGSG',
  });
  expect(await sdk.coreResources.globalAccount.getGlobalAccount(account.id)).toEqual(account);
  const { id } = await sdk.simulation.deposits.createDeposit({
    amount: 12.34,
    global_account_id: account.id,
    payer_name: 'A Payer',
    reference: 'RF18539007547034',
  });
  const deposit = await sdk.coreResources.deposits.findById(String(id));
  expect(deposit).toMatchObject({
    amount: 12.34,
    currency: 'SGD',
    status: 'SETTLED',
    global_account_id: account.id,
    reference: 'RF18539007547034',
  });
  expect((await sdk.coreResources.deposits.getDeposits({})).items).toEqual([deposit]);
  expect(balance()).toBe('1234');
});

test('a deposit is pending, then settled, then reversed; another is rejected', async () => {
  const { id: account } = await globalAccount('JPY');
  const pending = () =>
    sdk.simulation.deposits.createDeposit({
      amount: 500,
      global_account_id: account,
      payer_name: 'A',
      status: 'PENDING',
    });
  const first = String((await pending()).id);
  expect(balance('JPY')).toBe('0');
  await sdk.simulation.deposits.settleDeposit(first);
  expect(balance('JPY')).toBe('500');
  await sdk.simulation.deposits.reverseDeposit(first);
  expect(balance('JPY')).toBe('0');
  const second = String((await pending()).id);
  await sdk.simulation.deposits.rejectDeposit(second);
  await expect(sdk.simulation.deposits.settleDeposit(second)).rejects.toThrow('The deposit is REJECTED.');
  const states = (await sdk.coreResources.deposits.getDeposits({})).items?.map(({ status }) => status);
  expect(states?.sort()).toEqual(['REJECTED', 'REVERSED']);
});

test('a transfer is validated, made once for its request id, sent and paid', async () => {
  await fund(100);
  const { transfers } = sdk.payouts;
  await transfers.validateTransfer(transferRequest('60.5'));
  const made = await transfers.createTransfer(transferRequest('60.5'));
  expect(made).toMatchObject({ status: 'PROCESSING', transfer_amount: 60.5, request_id: 'T-1' });
  expect((await transfers.createTransfer(transferRequest('60.5'))).id).toBe(made.id);
  await expect(transfers.createTransfer(transferRequest('60.6'))).rejects.toThrow('request_id was used');
  await expect.poll(async () => (await transfers.getTransfer(made.id)).status).toBe('PAID');
  expect((await transfers.getTransfers({ request_id: 'T-1' })).items?.map(({ id }) => id)).toEqual([made.id]);
  expect(bank.records.all('payments')).toHaveLength(1);
  expect(balance()).toBe('3950');
  await expect(transfers.cancelTransfer(made.id)).rejects.toThrow('The payment is settled.');
});

test('many requests with one id at the same time make one transfer', async () => {
  await fund(100);
  const made = await Promise.all(
    Array.from({ length: 12 }, () => sdk.payouts.transfers.createTransfer(transferRequest('10'))),
  );
  expect(new Set(made.map(({ id }) => id)).size).toBe(1);
  await expect.poll(() => balance()).toBe('9000');
});

test('a transfer without funds fails with its reason, one that waits can be cancelled', async () => {
  await fund(10);
  expect(await sdk.payouts.transfers.createTransfer(transferRequest('10.01', 'T-2'))).toMatchObject({
    status: 'FAILED',
    failure_type: 'INSUFFICIENT_FUNDS',
  });
  await setPayouts('delay');
  const waiting = await sdk.payouts.transfers.createTransfer(transferRequest('10', 'T-3'));
  await sdk.payouts.transfers.cancelTransfer(waiting.id);
  expect((await sdk.payouts.transfers.getTransfer(waiting.id)).status).toBe('CANCELLED');
  expect(balance()).toBe('1000');
});

test('the simulation moves a transfer along, and a paid one comes back', async () => {
  await fund(10);
  await setPayouts('accept');
  const { id } = await sdk.payouts.transfers.createTransfer(transferRequest('4'));
  const move = (next_status: string) => sdk.simulation.transfers.transferTransition(id, { next_status }, '2025-06-30');
  expect(await move('SENT')).toMatchObject({ status: 'SENT' });
  expect(await move('PAID')).toMatchObject({ status: 'PAID' });
  expect(balance()).toBe('600');
  expect(await move('FAILED')).toMatchObject({ status: 'FAILED', failure_type: 'BENEFICIARY_BANK_RETURNED' });
  expect(balance()).toBe('1000');
  await expect(move('PAID')).rejects.toThrow('does not become');
});

test('beneficiaries are validated, kept, and verified where their bank answers', async () => {
  const { contactBeneficiaries } = sdk.payouts;
  await contactBeneficiaries.validateBeneficiaryRequest({ beneficiary, transfer_methods: ['LOCAL'] });
  const iban = {
    ...beneficiary,
    bank_details: { ...beneficiary.bank_details, account_number: 'DE89370400440532013001' },
  };
  await expect(
    contactBeneficiaries.validateBeneficiaryRequest({ beneficiary: iban, transfer_methods: ['LOCAL'] }),
  ).rejects.toThrow('Account number');
  const { id = '' } = await contactBeneficiaries.createBeneficiary({ beneficiary, transfer_methods: ['LOCAL'] });
  expect((await contactBeneficiaries.getBeneficiary(id)).beneficiary?.bank_details?.account_name).toBe('Tan Trading');
  await fund(5);
  const { beneficiary: _, ...rest } = transferRequest('5');
  expect(await sdk.payouts.transfers.createTransfer({ ...rest, beneficiary_id: id })).toMatchObject({
    beneficiary_id: id,
  });
  const verify = (account_name: string, account_number = '123456789') =>
    sdk.post('/api/v1/beneficiaries/verify_account', {
      account_details: { bank_details: { account_name, account_number } },
    });
  expect(await verify('Tan Trading')).toMatchObject({ code: 'CANNOT_VERIFY' });
  await bank.change((turn) =>
    turn.put('payees', '123456789', { account: '123456789', name: 'Tan Trading Pte Ltd', state: 'open' }),
  );
  expect(await verify('tan trading pte. ltd.')).toMatchObject({
    code: 'VERIFIED',
    details: { account_name_match_result: 'FULL_MATCH' },
  });
  expect(await verify('Tan Trading')).toMatchObject({
    details: { account_name_match_result: 'PARTIAL_MATCH', account_name: 'Tan Trading Pte Ltd' },
  });
  expect(await verify('Lim Foods')).toMatchObject({ details: { account_name_match_result: 'NOT_MATCHED' } });
  expect(await verify('Lim', 'DE89370400440532013001')).toMatchObject({ code: 'INVALID' });
});

test('nothing is served without a token, to a wrong key, or to a web page', async () => {
  const wrong = new SandboxAirwallex({
    clientId: CLIENT_ID,
    apiKey: 'x',
    env: 'demo',
    enableTelemetry: false,
    retry: 0,
  });
  await expect(wrong.login()).rejects.toThrow('not valid');
  wrong._cleanup();
  const get = (headers: Record<string, string>) => fetch(`${bank.api.url}/api/v1/deposits`, { headers });
  expect((await get({ authorization: 'Bearer x' })).status).toBe(401);
  expect((await get({ origin: 'https://evil.example' })).status).toBe(403);
});

test('a mute API carries the request out, which the same request finds later', async () => {
  await fund(10);
  await sdk.login();
  await bank.api.setMode('mute');
  await expect(sdk.payouts.transfers.createTransfer(transferRequest('10'))).rejects.toThrow();
  await bank.api.setMode('ok');
  expect(bank.records.all('payments')).toHaveLength(1);
  const found = await sdk.payouts.transfers.createTransfer(transferRequest('10'));
  expect(found.id).toBe(bank.records.all('transfers')[0]?.id);
  expect(bank.records.all('payments')).toHaveLength(1);
  await bank.api.setMode('down');
  await expect(fetch(bank.api.url)).rejects.toThrow();
  await bank.api.setMode('ok');
  expect((await fetch(`${bank.api.url}/readyz`)).status).toBe(200);
});

test('events are signed over timestamp and body, and repeated until they are taken', async () => {
  let refusals = 3;
  const events = await receive(() => (refusals-- > 0 ? 500 : 200));
  await fund(10);
  await sdk.payouts.transfers.createTransfer(transferRequest('10'));
  await expect
    .poll(() => bank.records.all('webhooks').map(({ name, state }) => [name, state]))
    .toEqual([
      ['deposit.pending', 'delivered'],
      ['deposit.settled', 'delivered'],
      ['payout.transfer.processing', 'delivered'],
      ['payout.transfer.sent', 'delivered'],
      ['payout.transfer.paid', 'delivered'],
    ]);
  const secret = (await readFile(join(bank.dir, 'keys/webhook-secret'), 'utf8')).trim();
  for (const { timestamp, signature, body } of events) expect(signature).toBe(signatureOf(secret, timestamp, body));
  // Known answer, so that both sides could not agree on something else: printf '1700000000000{}' | openssl dgst -sha256 -hmac secret
  expect(signatureOf('secret', '1700000000000', '{}')).toBe(
    '9f54f125a52be7c0913a5fdafeea3fb5daabee2f10be78a2445d9a8092caf58e',
  );
  expect(events).toHaveLength(8);
  // Each event has its state; an event that was refused comes behind the later ones.
  const paid = events.map(({ body }) => JSON.parse(body)).find(({ name }) => name === 'payout.transfer.paid');
  expect(paid).toMatchObject({ data: { status: 'PAID', transfer_amount: 10 } });
});

test('events are lost, doubled, reordered and forged on demand', async () => {
  const events = await receive();
  const { url } = settingsOf(bank.records).webhooks;
  await setWebhook({ url, mode: 'held' });
  await fund(10);
  expect(events).toEqual([]);
  const [pending, settled] = bank.records.all('webhooks');
  expect(await bank.webhooks.again(settled?.id ?? '')).toBe('200');
  expect(await bank.webhooks.again(settled?.id ?? '')).toBe('200');
  expect(await bank.webhooks.forge(pending?.id ?? '')).toBe('200');
  const secret = (await readFile(join(bank.dir, 'keys/webhook-secret'), 'utf8')).trim();
  const genuine = events.map(({ timestamp, signature, body }) => signature === signatureOf(secret, timestamp, body));
  expect(genuine).toEqual([true, true, false]);
  expect(events.map(({ body }) => JSON.parse(body).data.amount)).toEqual([10, 10, 100]);
});

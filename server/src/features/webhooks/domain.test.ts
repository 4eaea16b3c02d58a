import { paymentRequestEventOf } from '@causeway/contract/payment-requests-rules.ts';
import { transactionLives } from '@causeway/contract/transactions-lives.ts';
import { platformTypes, transactionTypes } from '@causeway/contract/transactions-rules.ts';
import { webhookEventOf, webhookEventTypes, webhookRetrySeconds } from '@causeway/contract/webhooks-rules.ts';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { failuresBeforePause, healthAfter, pauseAfter, pauseOfEndpoint } from './domain.ts';
import { newSecret, openSecret, sealingKeys, sealSecret, signedHeaders } from './secrets.ts';

const newKey = (letter: string) => letter.repeat(43);

test('the signature is that of the specification’s example', () => {
  const headers = signedHeaders(['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'], {
    messageId: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    at: new Date(1_614_265_330_000),
    body: '{"test": 2432232314}',
  });
  expect(headers).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

test('two secrets make two signatures, and a receiver that knows either verifies', () => {
  const [current, previous] = [newSecret(), newSecret()];
  const body = '{"type":"deposit.credited"}';
  const headers = signedHeaders([current, previous], { messageId: 'evt_1', at: new Date(), body });
  expect(headers['webhook-signature'].split(' ')).toHaveLength(2);
  for (const secret of [current, previous])
    expect(new Webhook(secret).verify(body, headers)).toEqual({ type: 'deposit.credited' });
  expect(() => new Webhook(newSecret()).verify(body, headers)).toThrow();
  expect(() => new Webhook(current).verify(`${body} `, headers)).toThrow();
});

test('a secret has 32 random bytes, is opened with an earlier key too, and for its endpoint alone', () => {
  const secret = newSecret();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(newSecret()).not.toBe(secret);
  const sealed = sealSecret(sealingKeys(newKey('a')), secret, 'endpoint');
  expect(openSecret(sealingKeys(newKey('b'), [newKey('a')]), sealed, 'endpoint')).toBe(secret);
  expect(() => openSecret(sealingKeys(newKey('b')), sealed, 'endpoint')).toThrow();
  expect(() => openSecret(sealingKeys(newKey('a')), sealed, 'another')).toThrow();
});

test('pauses grow as documented, spread by a tenth, and end', () => {
  const pauses = webhookRetrySeconds.map((_, index) => pauseAfter(index + 1, 0.5));
  expect(pauses).toEqual([5, 60, 300, 1800, 7200, 21_600, 43_200, 86_400].map((seconds) => seconds * 1000));
  expect([pauseAfter(1, 0), pauseAfter(1, 1)]).toEqual([4500, 5500]);
  expect(pauseAfter(webhookRetrySeconds.length + 1, 0.5)).toBeNull();
});

test('an endpoint that keeps failing is left alone for longer and longer, up to five minutes', () => {
  expect(pauseOfEndpoint(failuresBeforePause - 1, 0.5)).toBeNull();
  expect([0, 1, 2, 20].map((more) => pauseOfEndpoint(failuresBeforePause + more, 0.5))).toEqual([
    10_000, 20_000, 40_000, 300_000,
  ]);
});

test('410 switches an endpoint off, and so do five days of nothing but failures', () => {
  const start = new Date('2026-11-01T00:00:00Z');
  const later = (ms: number) => new Date(start.getTime() + ms);
  const healthy = { failures: 0, failingSince: null, pausedUntil: null };
  expect(healthAfter(healthy, 'gone', start, 0.5).off).toBe('gone');
  const first = healthAfter(healthy, 'status', start, 0.5);
  expect(first).toEqual({ failures: 1, failingSince: start, pausedUntil: null, off: null });
  const days = 86_400_000;
  expect(healthAfter(first, 'timeout', later(5 * days - 1), 0.5).off).toBeNull();
  expect(healthAfter(first, 'timeout', later(5 * days), 0.5).off).toBe('failing');
  expect(healthAfter(first, null, later(5 * days), 0.5)).toEqual({ ...healthy, off: null });
});

test('every type of event follows from a stage of a life, a step of a payment request or a trade, and the operator’s own payments make none', () => {
  const reachable = transactionTypes.flatMap((type) => {
    const { road, endsEarly } = transactionLives[type];
    return [...road, ...endsEarly].map((stage) => webhookEventOf(type, stage));
  });
  const ofRequests = Object.values(paymentRequestEventOf);
  expect([...new Set([...reachable.filter((event) => event !== null), ...ofRequests])].sort()).toEqual(
    // A decline is no transaction.
    webhookEventTypes.filter((type) => !type.startsWith('trade.') && type !== 'card.declined').sort(),
  );
  for (const type of platformTypes) {
    expect(
      transactionLives[type].road.map((stage) => webhookEventOf(type, stage)).every((event) => event === null),
      type,
    ).toBe(true);
  }
  expect(webhookEventOf('chain_deposit', 'credited')).toBe('deposit.credited');
  expect(webhookEventOf('crypto_exchange_in', 'credited')).toBe('transaction.completed');
  expect(webhookEventOf('chain_deposit', 'submitted')).toBeNull();
  expect(webhookEventOf('chain_withdraw', 'signing')).toBeNull();
});

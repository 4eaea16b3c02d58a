import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createApp } from './app.ts';

test.each([
  [[], 'x, 203.0.113.9, 198.51.100.7', '127.0.0.1'],
  [['127.0.0.1'], 'x, 203.0.113.9, 198.51.100.7', '198.51.100.7'],
  [['127.0.0.0/8', '198.51.100.7'], 'x, 203.0.113.9, 198.51.100.7', '203.0.113.9'],
  [['127.0.0.1'], undefined, '127.0.0.1'],
])(
  'behind the trusted proxies %j the caller of %s is %s: who calls cannot choose it',
  async (trustedProxies, forwarded, ip) => {
    const app = await createApp({
      log: pino({ level: 'silent' }),
      trustedProxies,
      inlineHashes: { script: [], style: [] },
    });
    app.get('/who', async (request) => request.ip);
    const headers = {
      'x-real-ip': '192.0.2.1',
      'x-forwarded-host': 'evil.example',
      forwarded: 'for=192.0.2.1',
      ...(forwarded !== undefined && { 'x-forwarded-for': forwarded }),
    };
    expect((await app.inject({ url: '/who', headers })).body).toBe(ip);
    await app.close();
  },
);

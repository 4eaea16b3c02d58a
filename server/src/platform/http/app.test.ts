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

test('frames of another origin are let through on the page that shows them, and on no other', async () => {
  const framing = { pages: /^\/app\/cards\/\d+\/number$/, origin: 'https://issuer.example' };
  const app = await createApp({
    ...{ log: pino({ level: 'silent' }), trustedProxies: [], framing },
    inlineHashes: { script: [], style: [] },
  });
  app.get('/*', async () => 'page');
  const frameSources = async (url: string) => {
    const policy = String((await app.inject({ url })).headers['content-security-policy']);
    return /frame-src ([^;]+)/.exec(policy)?.[1];
  };
  expect(await frameSources('/app/cards/7/number?x=1')).toBe('blob: https://issuer.example');
  for (const other of ['/app/cards/7', '/app/home?next=/app/cards/7/number', '/app/cards/7/number/more'])
    expect(await frameSources(other), other).toBe('blob:');
  await app.close();
});

import { type IssuerServer, startIssuer } from '@causeway/sandbox/issuer/issuer.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLithicIssuer } from './adapters/lithic/issuer.ts';
import { cardIssuerCheck } from './health.ts';

let sandbox: IssuerServer;
beforeAll(async () => {
  sandbox = await startIssuer({ tickMs: 0 });
});
afterAll(() => sandbox.stop());

const check = (apiKey: string) =>
  cardIssuerCheck(createLithicIssuer({ url: sandbox.url, apiKey, programs: new Map(), timeoutMs: 2000 })).check();

test('the issuer is well while it answers our key, and the reason never holds the key', async () => {
  await expect(check(sandbox.apiKey)).resolves.toBeUndefined();
  await expect(check('another-key-of-36-letters')).rejects.toMatchObject({
    reason: { id: 'health.reason.cardIssuer' },
  });
  await sandbox.setMode('down');
  const refusal = await check(sandbox.apiKey).catch((error: unknown) => String(error));
  expect(refusal).toContain('issuer of cards does not respond');
  expect(refusal).not.toContain(sandbox.apiKey);
});

import { createHash } from 'node:crypto';
import { calls } from '@causeway/contract/calls.ts';
import { codeSubjects } from '@causeway/contract/identity.ts';
import { expect, test } from 'vitest';
import { createLog } from '../process/log.ts';
import { createApp } from './app.ts';
import { openApiDocument, registerDocumentation } from './openapi.ts';

test('the OpenAPI document has every call of the contract once, with its errors', () => {
  const document = openApiDocument(calls) as {
    openapi: string;
    paths: Record<string, Record<string, { operationId: string; responses: Record<string, { description: string }> }>>;
  };
  expect(document.openapi).toBe('3.1.0');
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
  expect(operations.map((operation) => operation.operationId).sort()).toEqual(calls.map((call) => call.name).sort());
  const submit = document.paths['/web/crypto/transfer-out']?.['post'];
  expect(submit?.responses['409']?.description).toContain('amountAboveBalanceMinusFee (6005)');
  expect(submit?.responses['401']?.description).toContain('sessionEnded (1004)');
});

test('a code’s subject is described with the content of each of its kinds', () => {
  type Schema = { oneOf?: Schema[]; const?: string; properties?: Record<string, Schema>; required?: string[] };
  const document = openApiDocument(calls) as {
    paths: Record<string, Record<string, { requestBody: { content: Record<string, { schema: Schema }> } }>>;
  };
  const body = document.paths['/common/user/send-code']?.['post']?.requestBody.content['application/json']?.schema;
  const forTransaction = body?.oneOf?.find(({ properties }) => properties?.['scenario']?.const === 'transaction');
  const kinds = forTransaction?.properties?.['subject']?.oneOf ?? [];
  expect(kinds.map(({ properties }) => properties?.['kind']?.const)).toEqual(codeSubjects);
  const contents = kinds.map(({ properties }) => properties?.['content']);
  expect(contents.map((content) => content?.required)).toEqual([
    ['id', 'walletId', 'payeeId', 'amount', 'attachmentIds'],
    ['id', 'form', 'walletId', 'payeeId', 'versionId', 'amount', 'attachmentIds'],
    ['id', 'walletId', 'bankWalletId', 'bound', 'payeeId', 'versionId', 'amount', 'attachmentIds'],
    ['id', 'sellWalletId', 'buyWalletId', 'fixed', 'amount', 'bound'],
    ['id', 'sellWalletId', 'buyWalletId', 'rule', 'amount', 'every', 'day', 'time', 'tolerance', 'lastDay'],
    ['id', 'batchId', 'version', 'rows', 'fees'],
    ['id', 'tradeId', 'version'],
    ['cardId'],
    ['ids', 'outcome'],
    ['enabled'],
    ['action'],
    ['action', 'id'],
  ]);
});

test('the documentation page lets its own inline scripts through, by their hashes, and no others', async () => {
  const log = createLog('test', 'silent');
  const app = await createApp({ log, trustedProxies: [], inlineHashes: { script: [], style: [] } });
  await registerDocumentation(app, calls);
  const page = await app.inject({ url: '/docs/' });
  const policy = String(page.headers['content-security-policy']);
  const inline = [...page.body.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    (match) => match[1] ?? '',
  );
  expect(inline.length).toBeGreaterThan(0);
  for (const script of inline) {
    expect(policy).toContain(`'sha256-${createHash('sha256').update(script).digest('base64')}'`);
  }
  expect(/script-src [^;]*unsafe/.test(policy)).toBe(false);
  expect((await app.inject({ url: '/openapi.json' })).json().openapi).toBe('3.1.0');
  await app.close();
});

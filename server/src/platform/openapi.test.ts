import { calls } from '@causeway/contract/calls.ts';
import { expect, test } from 'vitest';
import { openApiDocument } from './openapi.ts';

test('the OpenAPI document has every call of the contract once, with its errors', () => {
  const document = openApiDocument() as {
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

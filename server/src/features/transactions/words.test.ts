import { locales } from '@causeway/contract/locale.ts';
import { statusAt } from '@causeway/contract/transactions-lives.ts';
import { stages, transactionStatuses, transactionTypes } from '@causeway/contract/transactions-rules.ts';
import { describe, expect, test } from 'vitest';
import { hasText } from '../../platform/text/texts.ts';

describe.each(locales)('in %s', (locale) => {
  const lacking = (ids: readonly string[]) => ids.filter((id) => !hasText(locale, id));

  test('every type, status and stage has its word', () => {
    expect(lacking(transactionTypes.map((type) => `transaction.type.${type}`))).toEqual([]);
    expect(lacking(transactionStatuses.map((status) => `transaction.status.${status}`))).toEqual([]);
    expect(lacking(stages.map((stage) => `transaction.stage.${stage}`))).toEqual([]);
  });

  test('every stage that does not end a transaction says what it waits for', () => {
    const pending = stages.filter((stage) => statusAt(stage) === 'pending');
    expect(lacking(pending.map((stage) => `transaction.waiting.${stage}`))).toEqual([]);
  });
});

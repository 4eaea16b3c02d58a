import { locales } from '@causeway/contract/locale.ts';
import { expect, test } from 'vitest';
import { hasText } from '../../../platform/text/texts.ts';
import { actions } from './change.ts';

test.each(locales)('every change has its sentence for the audit trail in %s', (locale) => {
  expect(actions.filter((action) => !hasText(locale, `audit.action.organisation.${action}`))).toEqual([]);
});

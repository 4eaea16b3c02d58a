import { locales } from '@causeway/contract/locale.ts';
import { expect, test } from 'vitest';
import { hasText } from '../../../platform/texts.ts';
import { actions } from './core.ts';

test.each(locales)('every change has its sentence for the audit trail in %s', (locale) => {
  expect(actions.filter((action) => !hasText(locale, `audit.action.organisation.${action}`))).toEqual([]);
});

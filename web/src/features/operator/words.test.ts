import { locales } from '@causeway/contract/locale.ts';
import { operatorRoles } from '@causeway/contract/operator-rules.ts';
import { expect, it } from 'vitest';
import type { Translate } from '../../lib/locale.tsx';
import { isOvertaken, overText } from './overtaken.ts';
import { isNarrower, kindTexts } from './words.ts';

it('a role takes effect at once exactly where it allows nothing more', () => {
  const atOnce = operatorRoles.flatMap((from) =>
    operatorRoles.filter((to) => from !== to && isNarrower(from, to)).map((to) => `${from} → ${to}`),
  );
  expect(atOnce).toEqual([
    'support → viewer',
    'treasury → viewer',
    'compliance → viewer',
    'administrator → viewer',
    'administrator → support',
    'administrator → treasury',
    'administrator → compliance',
  ]);
});

it('says what became of a proposal while a dialog about it was open', () => {
  const t: Translate = (id, values) => [id, ...Object.values(values ?? {})].join(' ');
  const open = { state: 'open', outdated: false, canDecide: true } as const;
  expect(overText(t, open)).toBeNull();
  expect(overText(t, { ...open, state: 'confirmed' })).toBe('ops.over.decided ops.proposalState.confirmed');
  expect(overText(t, { ...open, outdated: true })).toBe('ops.over.stale');
  // Its proposer can withdraw it all the same.
  expect(overText(t, { ...open, outdated: true, canDecide: false })).toBeNull();
});

it('knows the refusals after which a step cannot succeed', () => {
  expect(['proposalDecided', 'queueResolved', 'alreadyFrozen', 'jobNotFailed'].every(isOvertaken)).toBe(true);
  expect(['validationFailed', 'network', 'queueCauseLasts'].some(isOvertaken)).toBe(false);
  expect(isOvertaken(null)).toBe(false);
});

const catalogues = import.meta.glob<string>('./locales/*.po', { query: '?raw', import: 'default', eager: true });

it.each(locales)('names every kind of proposal in %s', (locale) => {
  for (const id of Object.values(kindTexts)) expect(catalogues[`./locales/${locale}.po`]).toContain(`msgid "${id}"`);
});

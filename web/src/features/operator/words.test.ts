import { operatorRoles } from '@causeway/contract/operator-rules.ts';
import { expect, it } from 'vitest';
import { isNarrower } from './words.ts';

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

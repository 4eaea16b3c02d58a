import { expect, it } from 'vitest';
import { foreignAmong } from './apart.ts';
import { consoles } from './consoles.ts';

const root = '/app/web';
const shared = [
  `${root}/src/ui/button.tsx`,
  `${root}/src/lib/client.ts`,
  `${root}/src/shell/frame.tsx`,
  `${root}/src/features/audit/components/audit-log.tsx`,
  `${root}/src/features/identity/sealing.ts`,
  `${root}/src/features/transactions/components/transaction-timeline.tsx`,
  '\0virtual:contract',
  '\0virtual:texts/base/en-us',
];
const operators = [
  `${root}/src/operator/console.tsx`,
  `${root}/src/features/operator/api.ts`,
  `${root}/src/features/operator-queue/api.ts`,
  '\0virtual:calls/operator',
  '\0virtual:calls/operator-audit',
  '/app/contract/src/operator.ts',
  '/app/contract/src/operator-calls.ts',
];
const companies = [
  `${root}/src/main.tsx`,
  `${root}/src/app/console.tsx`,
  `${root}/src/lib/user.ts`,
  `${root}/src/features/wallets/api.ts`,
  '\0virtual:calls/identity',
  '\0virtual:calls/transfers',
  '/app/contract/src/calls.ts',
];

it('the companies’ build holds nothing of the operator’s', () => {
  const { foreign } = consoles.company;
  expect(foreignAmong([...shared, ...companies, ...operators], foreign)).toEqual(operators);
});

it('the operator’s build holds nothing of the companies’', () => {
  const { foreign } = consoles.operator;
  expect(foreignAmong([...shared, ...companies, ...operators], foreign)).toEqual(companies);
});

it('packages belong to both', () => {
  const packages = ['/app/node_modules/some/src/app/index.js', '/app/node_modules/other/src/operator/index.js'];
  for (const { foreign } of Object.values(consoles)) expect(foreignAmong(packages, foreign)).toEqual([]);
});

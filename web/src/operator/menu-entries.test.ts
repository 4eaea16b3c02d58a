import { type OperatorRole, operatorPermissionsOf, operatorRoles } from '@causeway/contract/operator-rules.ts';
import { expect, it } from 'vitest';
import { operatorRoutes } from '../features/operator/routes.tsx';
import { bankRoutes } from '../features/operator-banks/routes.tsx';
import { operatorCompaniesRoutes } from '../features/operator-companies/routes.tsx';
import { exchangeRoutes } from '../features/operator-exchange/routes.tsx';
import { healthRoutes } from '../features/operator-health/routes.tsx';
import { deskRoutes } from '../features/operator-otc/routes.tsx';
import { operatorPaymentsRoutes } from '../features/operator-payments/routes.tsx';
import { exceptionRoutes } from '../features/operator-payments/routes-exceptions.tsx';
import { operatorTradeRoutes } from '../features/operator-payments/routes-trades.tsx';
import { priceRoutes } from '../features/operator-prices/routes.tsx';
import { operatorQueueRoutes } from '../features/operator-queue/routes.tsx';
import { solvencyRoutes } from '../features/operator-solvency/routes.tsx';
import { treasuryRoutes } from '../features/operator-treasury/routes.tsx';
import { entryOf, isOffered } from '../shell/menu.ts';
import { menu } from './menu-entries.ts';
import { morePages } from './more-pages.ts';

const entries = [menu.home, ...menu.groups.flatMap((group) => group.entries), ...morePages];
const forAll = [
  '/app/home',
  '/app/companies',
  '/app/payments',
  '/app/exceptions',
  '/app/banks',
  '/app/invitations',
  '/app/prices',
  '/app/assets',
  '/app/announcements',
  '/app/treasury',
  '/app/exchange',
  '/app/desk',
  '/app/trades',
  '/app/solvency',
  '/app/health',
  '/app/confirmations',
  '/app/staff',
  '/app/account',
];

const expected: Record<OperatorRole, readonly string[]> = {
  viewer: forAll,
  support: forAll,
  treasury: forAll,
  compliance: [...forAll, '/app/audit-log'],
  administrator: [...forAll, '/app/audit-log'],
};

it.each(operatorRoles)('offers a %s what the role may open, and nothing else', (role) => {
  const offered = entries.filter((entry) => isOffered(entry, operatorPermissionsOf[role])).map(({ path }) => path);
  expect(offered.toSorted()).toEqual([...expected[role]].sort());
});

it('leads to pages that are there, each once', () => {
  const routes = [
    ...operatorRoutes,
    ...operatorQueueRoutes,
    ...operatorCompaniesRoutes,
    ...operatorPaymentsRoutes,
    ...exceptionRoutes,
    ...bankRoutes,
    ...exchangeRoutes,
    ...deskRoutes,
    ...operatorTradeRoutes,
    ...priceRoutes,
    ...treasuryRoutes,
    ...solvencyRoutes,
    ...healthRoutes,
  ];
  const pages = routes.map(({ options }) => (options as { path?: string }).path);
  for (const { path } of entries) expect(pages).toContain(path);
  expect(new Set(entries.map(({ path }) => path)).size).toBe(entries.length);
});

it('knows which entry a panel belongs to', () => {
  expect(entryOf(menu, '/app/staff/018f')?.path).toBe('/app/staff');
  expect(entryOf(menu, '/app/account')).toBeUndefined();
});

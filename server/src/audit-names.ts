import { sayAmount } from '@causeway/contract/money.ts';
import { systemRoleIds } from '@causeway/contract/permission.ts';
import { findCompanyName, findMemberNames } from './features/identity/index.ts';
import { findRoleNames } from './features/organisation/index.ts';
import { readTransactions } from './features/transactions/index.ts';
import { nameWallets } from './features/wallets/index.ts';
import type { AuditNames } from './platform/audit/names.ts';
import { translate } from './platform/text/texts.ts';

/** What the features call the things that the audit log mentions. */
export const auditNames: AuditNames = {
  people: findMemberNames,
  companyName: findCompanyName,
  async others(tx, ids, locale) {
    if (ids.length === 0) return new Map();
    const roles = await findRoleNames(tx, locale);
    const system: readonly string[] = Object.values(systemRoleIds);
    const wallets = await nameWallets(tx, locale);
    const transactions = await readTransactions(tx, ids);
    return new Map([
      // The names of a company's own roles are in the log, as they were then.
      ...[...roles].flatMap(([id, { name }]) => (system.includes(id) ? [[id, name] as const] : [])),
      ...[...wallets].map(([id, { asset, place }]) => [id, `${asset} · ${place}`] as const),
      ...transactions.map(({ id, direction, quantityMinor, decimals, coin, payeeName }) => {
        const amount = `${sayAmount(quantityMinor, decimals)} ${coin}`;
        const isSent = direction === 'out' && payeeName !== null;
        return [id, isSent ? translate(locale, 'audit.sentTo', { amount, payee: payeeName }) : amount] as const;
      }),
    ]);
  },
};

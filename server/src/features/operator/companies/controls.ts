import type { OutputInput } from '@causeway/contract/call.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import type * as calls from '@causeway/contract/operator-companies.ts';
import { defaultTimeZone } from '@causeway/contract/organisation-rules.ts';
import { systemRoleOf } from '@causeway/contract/permission.ts';
import type { RiskContent } from '@causeway/contract/risk-content.ts';
import type { Tx } from '../../../platform/database/database.ts';
import type { OperatorContext } from '../../../platform/session.ts';
import { roleNameOf } from '../../organisation/index.ts';
import { formatUsd } from '../../rates/index.ts';
import { findNames, findPolicies, findRules, findSettings } from './controls-store.ts';
import { lookAt } from './look.ts';

type Controls = OutputInput<typeof calls.getCompanyControls>;
type Policy = Controls['risk']['policies'][number];

/** What a company has set for itself, read-only. @throws DomainError notFound */
export async function getControls(tx: Tx, context: OperatorContext, { id }: { id: string }): Promise<Controls> {
  await lookAt(tx, context, id);
  const settings = await findSettings(tx, id);
  const [rules, policies] = [await findRules(tx, id), await findPolicies(tx, id)];
  const nameOf = naming(await findNames(tx, id), context.locale);
  const { codeRecipient, waitingHours, forbidOwnApprovers, approveNewPayees, changedPayeeDays } = settings;
  return {
    security: {
      timeZone: settings.timeZone ?? defaultTimeZone,
      codeRecipient,
      waitingHours,
      forbidOwnApprovers,
      approveNewPayees,
      changedPayeeDays,
    },
    review: {
      enabled: settings.reviewEnabled,
      expiryDays: settings.expiryDays,
      reminderHours: settings.reminderHours,
      rules: rules.map(({ nodes, submitters, lower, upper, ...rule }) => ({
        ...rule,
        lower: formatUsd(lower),
        upper: upper === null ? null : formatUsd(upper),
        steps: nodes.map(({ needed, approvers }) => ({
          needed,
          approvers: approvers.map((approver) => nameOf(approver.id)),
        })),
        submittedBy: submitters === null || submitters.length === 0 ? null : submitters.map((one) => nameOf(one.id)),
      })),
    },
    risk: {
      onlyWhitelisted: settings.onlyWhitelisted,
      whitelisted: settings.whitelisted,
      blacklisted: settings.blacklisted,
      policies: policies.map(({ definition: { business, method, window, content }, ...policy }) => ({
        ...policy,
        business,
        method,
        window,
        dimension: content.dimension,
        ...whatItSays(content, nameOf),
      })),
    },
  };
}

/** Of a member, a role of the company or the system, a department; of what is there no more the id. */
function naming(names: ReadonlyMap<string, string>, locale: Locale): (id: string) => string {
  return (id) => (systemRoleOf(id) !== null ? roleNameOf(id, null, locale) : (names.get(id) ?? id));
}

function whatItSays(
  content: RiskContent,
  nameOf: (id: string) => string,
): Pick<Policy, 'listed' | 'unit' | 'from' | 'to'> {
  const list = (listed: readonly string[]) => ({ listed: [...listed], unit: null, from: null, to: null });
  const range = ({ from, to }: { from: string; to: string | null }, unit: string | null = null) => ({
    listed: null,
    unit,
    from,
    to,
  });
  switch (content.dimension) {
    case 'chain':
      return list(content.chains);
    case 'coin':
      return list(content.coins);
    case 'fiat_currency':
      return list(content.currencies);
    case 'payment_region':
      return list(content.countries);
    case 'initiator':
      return list(content.members.map(nameOf));
    case 'department':
      return list(content.departments.map(nameOf));
    case 'role':
      return list(content.roles.map(nameOf));
    case 'crypto_quantity':
      return range(content, content.coin);
    case 'fiat_amount':
      return range(content, content.currency);
    case 'crypto_value':
    case 'crypto_frequency':
    case 'fiat_frequency':
      return range(content);
  }
}

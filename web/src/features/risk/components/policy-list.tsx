import { listRiskPolicies } from 'virtual:calls/risk';
import { businesses, riskDimensions } from '@causeway/contract/risk-rules.ts';
import { useLocation } from '@tanstack/react-router';
import { useList } from '../../../lib/list.ts';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { defineList, ListView } from '../../../ui/list-view.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { Skeleton } from '../../../ui/states.tsx';
import { dimensionTexts, policyPath } from '../words.ts';
import { PolicyRows } from './policy-rows.tsx';

const policyList = defineList({
  call: listRiskPolicies,
  label: 'risk.tab.policy',
  name: 'policies',
  filters: [
    { kind: 'search', name: 'keyword', label: 'risk.policy.search' },
    {
      kind: 'choice',
      name: 'business',
      label: 'risk.policy.business',
      options: Object.fromEntries(businesses.map((business) => [business, `risk.business.${business}`])),
    },
    {
      kind: 'choice',
      name: 'dimension',
      label: 'risk.policy.dimension',
      options: Object.fromEntries(riskDimensions.map((dimension) => [dimension, dimensionTexts[dimension]])),
    },
    {
      kind: 'choice',
      name: 'active',
      label: 'risk.policy.state',
      options: { true: 'risk.policy.on', false: 'risk.policy.off' },
    },
  ],
  rowId: (policy) => policy.id,
  add: { text: 'risk.policy.add', permission: 'policy.manage', href: `${policyPath}/add` },
  empty: { icon: 'shield', title: 'risk.policy.empty', text: 'risk.policy.emptyText' },
});

/** The risk policies in the order in which they are asked: the first that matches decides. */
export function PolicyList() {
  const t = useText();
  const search = useLocation({ select: (location) => location.searchStr });
  const mayManage = usePermission('policy.manage') === true;
  const read = useList(policyList);
  const { data } = read.answer;
  // Filters hide how many there are.
  const last = read.state.active === 0 && data?.totalExact ? data.total : null;
  return (
    <div className="flex flex-col gap-4">
      <p className="m-0 min-w-0 text-muted">{t('risk.policy.intro')}</p>
      <ListView
        list={policyList}
        read={read}
        actions={
          <PlainLink href={`${policyPath}/log${search}`} className={buttonClass('secondary')}>
            <Icon name="clock" />
            {t('risk.log')}
          </PlainLink>
        }
        draw={{
          skeleton: <RowsSkeleton />,
          rows: (policies) => <PolicyRows policies={policies} mayManage={mayManage} last={last} />,
        }}
      />
    </div>
  );
}

function RowsSkeleton() {
  return (
    <div className="flex flex-col gap-6 p-5">
      <Skeleton height="h-14" />
      <Skeleton height="h-14" />
      <Skeleton height="h-14" />
    </div>
  );
}

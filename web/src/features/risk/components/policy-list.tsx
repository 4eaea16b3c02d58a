import { businesses, policyNameMaxLength, riskDimensions } from '@causeway/contract/risk-rules.ts';
import { useLocation } from '@tanstack/react-router';
import { useMemo } from 'react';
import { type ListState, useListState } from '../../../lib/list-state.ts';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { type Filter, FilterBar } from '../../../ui/filter-bar.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Pager } from '../../../ui/pager.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { EmptyState, ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { type PolicyQuery, usePolicies } from '../api.ts';
import { dimensionTexts, policyPath } from '../words.ts';
import { PolicyRows } from './policy-rows.tsx';

const filterNames = ['keyword', 'business', 'dimension', 'active'] as const;
type FilterName = (typeof filterNames)[number];

/** The risk policies in the order in which they are asked: the first that matches decides. */
export function PolicyList() {
  const t = useText();
  const list = useListState(filterNames);
  const search = useLocation({ select: (location) => location.searchStr });
  const mayManage = usePermission('policy.manage') === true;
  const policies = usePolicies(queryOf(list));
  const filters = useFilters();
  const { data } = policies;
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="m-0 min-w-0 text-muted">{t('risk.policy.intro')}</p>
        <div className="flex flex-wrap gap-2">
          <PlainLink href={`${policyPath}/log${search}`} className={buttonClass('secondary')}>
            <Icon name="clock" />
            {t('risk.log')}
          </PlainLink>
          {mayManage && (
            <PlainLink href={`${policyPath}/add${search}`} className={buttonClass('primary')}>
              <Icon name="plus" />
              {t('risk.policy.add')}
            </PlainLink>
          )}
        </div>
      </div>
      <Card flush>
        <div className="border-b border-line px-4 py-2.5">
          <FilterBar filters={filters} state={list} />
        </div>
        {data === undefined && policies.error !== null ? (
          <ErrorState error={policies.error} onRetry={() => void policies.refetch()} />
        ) : (
          <Loading loading={data === undefined} skeleton={<RowsSkeleton />}>
            {data?.items.length === 0 ? (
              <NoPolicies filtered={list.active > 0} onClear={list.clear} mayManage={mayManage} />
            ) : (
              data && (
                <PolicyRows
                  policies={data.items}
                  mayManage={mayManage}
                  last={list.active === 0 && data.totalExact ? data.total : null}
                />
              )
            )}
            {data && (data.total > 0 || list.page > 1) && (
              <Pager
                page={list.page}
                size={list.size}
                total={data.total}
                totalExact={data.totalExact}
                shown={data.items.length}
                hasNext={data.next !== null}
                onPrevious={list.previous}
                onNext={() => data.next !== null && list.next(data.next)}
                onSize={list.setSize}
              />
            )}
          </Loading>
        )}
      </Card>
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

function NoPolicies(props: { filtered: boolean; onClear: () => void; mayManage: boolean }) {
  const t = useText();
  if (props.filtered) {
    return (
      <EmptyState
        icon="search"
        title={t('risk.noMatch')}
        text={t('risk.noMatchText')}
        action={<Button onClick={props.onClear}>{t('risk.clear')}</Button>}
      />
    );
  }
  return (
    <EmptyState
      icon="shield"
      title={t('risk.policy.empty')}
      text={t('risk.policy.emptyText')}
      {...(props.mayManage && {
        action: (
          <PlainLink href={`${policyPath}/add`} className={buttonClass('secondary')}>
            {t('risk.policy.addFirst')}
          </PlainLink>
        ),
      })}
    />
  );
}

function useFilters(): Filter<FilterName>[] {
  const t = useText();
  return useMemo(
    () => [
      { kind: 'search', name: 'keyword', label: t('risk.policy.search'), placeholder: t('risk.policy.search') },
      {
        kind: 'choice',
        name: 'business',
        label: t('risk.policy.business'),
        options: businesses.map((value) => ({ value, label: t(`risk.business.${value}`) })),
      },
      {
        kind: 'choice',
        name: 'dimension',
        label: t('risk.policy.dimension'),
        options: riskDimensions.map((value) => ({ value, label: t(dimensionTexts[value]) })),
      },
      {
        kind: 'choice',
        name: 'active',
        label: t('risk.policy.state'),
        options: [
          { value: 'true', label: t('risk.policy.on') },
          { value: 'false', label: t('risk.policy.off') },
        ],
      },
    ],
    [t],
  );
}

function queryOf(list: ListState<FilterName>): PolicyQuery {
  const { keyword } = list.filters;
  const business = businesses.find((value) => value === list.filters.business);
  const dimension = riskDimensions.find((value) => value === list.filters.dimension);
  const active = (['true', 'false'] as const).find((value) => value === list.filters.active);
  return {
    ...(keyword !== undefined && { keyword: keyword.slice(0, policyNameMaxLength) }),
    ...(business !== undefined && { business }),
    ...(dimension !== undefined && { dimension }),
    ...(active !== undefined && { active }),
    size: `${list.size}` as NonNullable<PolicyQuery['size']>,
    ...(list.cursor !== null && { cursor: list.cursor }),
  };
}

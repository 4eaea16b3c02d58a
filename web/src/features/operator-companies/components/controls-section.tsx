import type { Output } from '@causeway/contract/call.ts';
import type { getCompanyControls } from '@causeway/contract/operator-companies.ts';
import { type Translate, useText } from '../../../lib/locale.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { Card } from '../../../ui/card.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { type CompanyFile, useControls } from '../api.ts';

type Controls = Output<typeof getCompanyControls>;
type Rule = Controls['review']['rules'][number];
type Policy = Controls['risk']['policies'][number];

/** What the company has set for itself: nothing of it can be changed from here. */
export function ControlsSection({ company }: { company: CompanyFile }) {
  const { data, error, refetch } = useControls(company.id);
  if (data === undefined && error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <Loading loading={data === undefined} skeleton={<Skeleton height="h-80" />}>
      {data && (
        <div className="flex flex-col gap-6">
          <Security security={data.security} />
          <Review review={data.review} />
          <Risk risk={data.risk} />
        </div>
      )}
    </Loading>
  );
}

function Security({ security }: { security: Controls['security'] }) {
  const t = useText();
  return (
    <Card title={t('ops.companies.security')}>
      <DescriptionList
        facts={[
          { term: t('ops.companies.field.timeZone'), value: security.timeZone },
          {
            term: t('ops.companies.field.codeRecipient'),
            value: t(`ops.companies.codeRecipient.${security.codeRecipient}`),
          },
          {
            term: t('ops.companies.field.waitingHours'),
            value: t('ops.companies.hours', { count: security.waitingHours }),
          },
          { term: t('ops.companies.field.approveNewPayees'), value: <OnOff on={security.approveNewPayees} /> },
          {
            term: t('ops.companies.field.changedPayeeDays'),
            value: t('ops.companies.dayCount', { count: security.changedPayeeDays }),
          },
          { term: t('ops.companies.field.forbidOwnApprovers'), value: <OnOff on={security.forbidOwnApprovers} /> },
        ]}
      />
    </Card>
  );
}

function Review({ review: { enabled, expiryDays, reminderHours, rules } }: { review: Controls['review'] }) {
  const t = useText();
  return (
    <Card title={t('ops.companies.review')}>
      <DescriptionList
        facts={[
          { term: t('ops.companies.field.reviewEnabled'), value: <OnOff on={enabled} /> },
          { term: t('ops.companies.field.expiryDays'), value: t('ops.companies.dayCount', { count: expiryDays }) },
          { term: t('ops.companies.field.reminderHours'), value: t('ops.companies.hours', { count: reminderHours }) },
        ]}
      />
      <Items
        label={t('ops.companies.rules')}
        empty={t('ops.companies.rulesEmpty')}
        items={rules.map((rule) => ({ key: rule.id, name: rule.name, active: rule.active, said: ruleLines(t, rule) }))}
      />
    </Card>
  );
}

function Risk({ risk: { onlyWhitelisted, whitelisted, blacklisted, policies } }: { risk: Controls['risk'] }) {
  const t = useText();
  return (
    <Card title={t('ops.companies.risk')}>
      <DescriptionList
        facts={[
          { term: t('ops.companies.field.onlyWhitelisted'), value: <OnOff on={onlyWhitelisted} /> },
          { term: t('ops.companies.field.whitelisted'), value: whitelisted },
          { term: t('ops.companies.field.blacklisted'), value: blacklisted },
        ]}
      />
      <Items
        label={t('ops.companies.policies')}
        empty={t('ops.companies.policiesEmpty')}
        items={policies.map((policy) => ({
          key: policy.id,
          name: policy.name,
          active: policy.active,
          said: policyLines(t, policy),
        }))}
      />
    </Card>
  );
}

function OnOff({ on }: { on: boolean }) {
  const t = useText();
  return <StatusDot tone={on ? 'positive' : 'neutral'}>{t(on ? 'ops.companies.on' : 'ops.companies.off')}</StatusDot>;
}

interface ItemsProps {
  label: string;
  empty: string;
  items: readonly { key: string; name: string; active: boolean; said: readonly string[] }[];
}

function Items({ label, empty, items }: ItemsProps) {
  return (
    <div className="mt-5 flex flex-col gap-2">
      <h3 className="m-0 text-13 font-semibold">{label}</h3>
      {items.length === 0 ? (
        <p className="m-0 text-13 text-faint">{empty}</p>
      ) : (
        <ul aria-label={label} className="m-0 list-none p-0">
          {items.map(({ key, name, active, said }) => (
            <li
              key={key}
              className="flex flex-wrap items-start justify-between gap-x-6 gap-y-1 border-line py-3 not-last:border-b"
            >
              <span className="flex min-w-0 flex-col gap-0.5">
                <span className="font-medium wrap-anywhere">{name}</span>
                {said.map((line) => (
                  <span key={line} className="text-13 wrap-anywhere text-muted">
                    {line}
                  </span>
                ))}
              </span>
              <OnOff on={active} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** From when, by whom submitted, who decides in each step. */
function ruleLines(t: Translate, { lower, upper, submittedBy, steps }: Rule): string[] {
  const from = amountLine(lower, 'USD');
  return [
    upper === null
      ? t('ops.companies.ruleFrom', { from })
      : t('ops.companies.ruleBetween', { from, to: amountLine(upper, 'USD') }),
    ...(submittedBy === null ? [] : [t('ops.companies.ruleFor', { names: submittedBy.join(', ') })]),
    ...steps.map(({ needed, approvers }, place) =>
      t('ops.companies.ruleStep', { step: place + 1, needed, names: approvers.join(', ') }),
    ),
  ];
}

/** What is forbidden or allowed alone, within which period, and how often it stopped a transfer. */
function policyLines(t: Translate, policy: Policy): string[] {
  const { listed, unit, from, to, dimension, window, stopped } = policy;
  const coin = unit ?? (dimension === 'crypto_value' ? 'USD' : undefined);
  const said = (figure: string | null) => (figure === null ? '∞' : amountLine(figure, coin));
  const range = { from: said(from), to: said(to), window: t(`ops.companies.window.${window}`) };
  return [
    `${t(`ops.companies.method.${policy.method}`)} · ${t(`ops.companies.business.${policy.business}`)}`,
    listed === null
      ? `${t(`ops.companies.dimension.${dimension}`)}: ${t('ops.companies.policyRange', range)}`
      : `${t(`ops.companies.dimension.${dimension}`)}: ${listed.join(', ')}`,
    t('ops.companies.policyStopped', { count: stopped }),
  ];
}

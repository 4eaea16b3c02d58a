import { useParams } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useListState } from '../../../lib/list-state.ts';
import { useText } from '../../../lib/locale.tsx';
import { usePermissions } from '../../../lib/permission.ts';
import { Card } from '../../../ui/card.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { narrowScreen, useMedia } from '../../../ui/media.ts';
import { Page as Frame } from '../../../ui/page.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { TabLinks } from '../../../ui/tab-links.tsx';
import { Time } from '../../../ui/time.tsx';
import { type CompanyFile, useCompany } from '../api.ts';
import { FileActions } from '../components/file-actions.tsx';
import { FrozenCompany } from '../components/frozen-company.tsx';
import { sections } from '../components/sections.ts';
import { Worth } from '../components/worth.tsx';

const names = ['tab'] as const;

/** All that the operator knows about one company; each look at it is in the operator's log. */
export function Page() {
  const t = useText();
  const { id } = useParams({ strict: false }) as { id: string };
  const read = useCompany(id);
  const { data } = read;
  return (
    <Frame
      intro={
        <PlainLink href="/app/companies" className="text-accent">
          {t('ops.companies.back')}
        </PlainLink>
      }
      {...(data && { actions: <FileActions company={data} /> })}
    >
      {data === undefined && read.error !== null ? (
        <ErrorState error={read.error} onRetry={() => void read.refetch()} />
      ) : (
        <Loading loading={data === undefined} skeleton={<Skeleton height="h-120" />}>
          {data && <File company={data} />}
        </Loading>
      )}
    </Frame>
  );
}

function File({ company }: { company: CompanyFile }) {
  const t = useText();
  const permissions = usePermissions();
  const { filters } = useListState(names);
  const page = `/app/companies/${company.id}`;
  const offered = sections.filter(({ permission }) => permission === undefined || permissions?.includes(permission));
  const chosen = offered.find(({ key }) => key === filters.tab) ?? offered[0];
  return (
    <>
      <FrozenCompany companyId={company.id} />
      <Facts company={company} />
      {chosen && (
        <div className="flex min-w-0 flex-col gap-5">
          <TabLinks
            label={t('ops.companies.sections')}
            links={offered.map(({ key, label }) => ({
              label: t(label),
              href: key === offered[0]?.key ? page : `${page}?tab=${key}`,
              current: key === chosen.key,
            }))}
          />
          <Suspense fallback={<Skeleton height="h-80" />}>
            <chosen.Part key={chosen.key} company={company} />
          </Suspense>
        </div>
      )}
    </>
  );
}

function Facts({ company }: { company: CompanyFile }) {
  const t = useText();
  const { id, frozenWallets, lastTransactionAt } = company;
  // Terms beside their values: the parts below begin sooner on a phone.
  const narrow = useMedia(narrowScreen);
  return (
    <Card title={<span className="wrap-anywhere">{company.name}</span>}>
      <DescriptionList
        columns={!narrow}
        facts={[
          { term: t('ops.companies.field.usd'), value: <Worth of={company} /> },
          { term: t('ops.companies.field.members'), value: company.members },
          {
            term: t('ops.companies.field.frozenWallets'),
            value:
              frozenWallets === 0 ? (
                t('ops.companies.none')
              ) : (
                <StatusDot tone="pending">{t('ops.companies.frozen', { count: frozenWallets })}</StatusDot>
              ),
          },
          {
            term: t('ops.companies.field.lastTransaction'),
            value: lastTransactionAt === null ? t('ops.companies.none') : <Time at={lastTransactionAt} />,
          },
          { term: t('ops.companies.field.createdAt'), value: <Time at={company.createdAt} /> },
          { term: t('ops.companies.field.baseCurrency'), value: company.baseCurrency },
          {
            term: t('ops.companies.field.id'),
            value: (
              <span className="inline-flex items-center gap-1">
                <span className="font-mono text-12 break-all">{id}</span>
                <CopyButton text={id} what={t('ops.companies.field.id')} />
              </span>
            ),
          },
        ]}
      />
    </Card>
  );
}

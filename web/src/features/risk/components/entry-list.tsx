import type { ListKind } from '@causeway/contract/risk-rules.ts';
import { useLocation } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { type ListState, tableOf, useListState } from '../../../lib/list-state.ts';
import { useLocaleTag, useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { reportError } from '../../../lib/report-error.ts';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { type Filter, FilterBar } from '../../../ui/filter-bar.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { downloadEntries, type EntryQuery, useEntries } from '../api.ts';
import { accountTypeTexts, entryStatuses, listPaths, listTexts } from '../words.ts';
import { entryColumns } from './entry-columns.tsx';
import { EntryDialogs, type EntryStep } from './entry-dialogs.tsx';

const filterNames = ['keyword', 'payeeType', 'status'] as const;
type FilterName = (typeof filterNames)[number];

/** The longest keyword that the server searches for. */
const keywordMaxLength = 128;

/** The white list or the black list: search, filters, adding, changing, taking off, log, import and export. */
export function EntryList({ kind }: { kind: ListKind }) {
  const t = useText();
  const tag = useLocaleTag();
  const list = useListState(filterNames);
  const mayManage = usePermission('list.manage') === true;
  const [step, setStep] = useState<EntryStep | null>(null);
  const query = queryOf(kind, list);
  const entries = useEntries(query);
  const columns = useMemo(() => entryColumns({ t, tag, kind, mayManage, onStep: setStep }), [t, tag, kind, mayManage]);
  const filters = useFilters();
  return (
    <div className="flex flex-col gap-4">
      <ListActions kind={kind} query={query} mayManage={mayManage} onAdd={() => setStep({ step: 'add' })} />
      <DataTable
        label={t(listTexts[kind])}
        name={`risk-${kind}`}
        columns={columns}
        {...tableOf(entries, list)}
        rowId={(entry) => entry.id}
        toolbar={<FilterBar filters={filters} state={list} />}
        empty={
          <NoEntries
            kind={kind}
            filtered={list.active > 0}
            onClear={list.clear}
            {...(mayManage && { onAdd: () => setStep({ step: 'add' }) })}
          />
        }
      />
      <EntryDialogs kind={kind} step={step} onClose={() => setStep(null)} />
    </div>
  );
}

interface ActionsProps {
  kind: ListKind;
  query: EntryQuery;
  mayManage: boolean;
  onAdd: () => void;
}

function ListActions({ kind, query, mayManage, onAdd }: ActionsProps) {
  const t = useText();
  const search = useLocation({ select: (location) => location.searchStr });
  const mayExport = usePermission('list.export');
  const [busy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    await downloadEntries(query).catch(reportError);
    setBusy(false);
  };
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <p className="m-0 min-w-0 text-muted">{t(kind === 'white' ? 'risk.white.intro' : 'risk.black.intro')}</p>
      <div className="flex flex-wrap gap-2">
        <PlainLink href={`${listPaths[kind]}/log${search}`} className={buttonClass('secondary')}>
          <Icon name="clock" />
          {t('risk.log')}
        </PlainLink>
        {mayExport && (
          <Button icon="download" busy={busy} onClick={() => void run()}>
            {t('risk.export')}
          </Button>
        )}
        {mayManage && (
          <>
            <PlainLink href={`${listPaths[kind]}/import${search}`} className={buttonClass('secondary')}>
              <Icon name="upload" />
              {t('risk.import')}
            </PlainLink>
            <Button kind="primary" icon="plus" onClick={onAdd}>
              {t('risk.entry.add')}
            </Button>
          </>
        )}
      </div>
    </div>
  );
}

interface NoEntriesProps {
  kind: ListKind;
  filtered: boolean;
  onClear: () => void;
  onAdd?: () => void;
}

function NoEntries({ kind, filtered, onClear, onAdd }: NoEntriesProps) {
  const t = useText();
  if (filtered) {
    return (
      <EmptyState
        icon="search"
        title={t('risk.noMatch')}
        text={t('risk.noMatchText')}
        action={<Button onClick={onClear}>{t('risk.clear')}</Button>}
      />
    );
  }
  return (
    <EmptyState
      icon="shield"
      title={t(kind === 'white' ? 'risk.white.empty' : 'risk.black.empty')}
      text={t(kind === 'white' ? 'risk.white.emptyText' : 'risk.black.emptyText')}
      {...(onAdd && { action: <Button onClick={onAdd}>{t('risk.entry.add')}</Button> })}
    />
  );
}

function useFilters(): Filter<FilterName>[] {
  const t = useText();
  return useMemo(
    () => [
      { kind: 'search', name: 'keyword', label: t('risk.entry.search'), placeholder: t('risk.entry.search') },
      {
        kind: 'choice',
        name: 'payeeType',
        label: t('risk.entry.type'),
        options: (['crypto_address', 'bank_no'] as const).map((value) => ({
          value,
          label: t(accountTypeTexts[value]),
        })),
      },
      {
        kind: 'choice',
        name: 'status',
        label: t('risk.entry.status'),
        options: (['in_use', 'deleted'] as const).map((value) => ({ value, label: t(entryStatuses[value].text) })),
      },
    ],
    [t],
  );
}

function queryOf(kind: ListKind, list: ListState<FilterName>): EntryQuery {
  const { keyword, payeeType, status } = list.filters;
  return {
    kind,
    ...(keyword !== undefined && { keyword: keyword.slice(0, keywordMaxLength) }),
    ...((payeeType === 'bank_no' || payeeType === 'crypto_address') && { payeeType }),
    ...((status === 'in_use' || status === 'deleted') && { status }),
    size: `${list.size}` as NonNullable<EntryQuery['size']>,
    ...(list.cursor !== null && { cursor: list.cursor }),
  };
}

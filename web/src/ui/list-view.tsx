import type { Call } from '@causeway/contract/call.ts';
import { useLocation } from '@tanstack/react-router';
import { type ReactNode, useContext, useMemo, useState } from 'react';
import type { LightCall } from '../lib/light-call.ts';
import type { ListRead, ListSource, RowOf } from '../lib/list.ts';
import { isIgnored } from '../lib/list-query.ts';
import { tableOf } from '../lib/list-state.ts';
import { type Translate, useLocaleTag, useText } from '../lib/locale.tsx';
import { type AnyPermission, usePermission, usePermissions } from '../lib/permission.ts';
import { reportError } from '../lib/report-error.ts';
import { amountRefusals, readFilterAmount } from './amount-input.ts';
import { Button, buttonClass } from './button.tsx';
import { type Column, DataTable } from './data-table.tsx';
import type { DataTableProps } from './data-table-view.ts';
import { type Filter, FilterBar } from './filter-bar.tsx';
import { Icon, type IconName } from './icon.tsx';
import { narrowScreen, useMedia } from './media.ts';
import { PlainLink } from './plain-link.tsx';
import { ReadOnly } from './read-only.ts';
import { EmptyState, NoPermission } from './states.tsx';

/** A filter as data: its label is a text id, its choices are text ids by value, or a hook where they have to be read. */
export type ListFilter = (
  | { kind: 'search'; name: string; label: string }
  | { kind: 'text' | 'amount'; name: string; label: string }
  /** `any`: what the list shows without a choice, where that is not everything. */
  | {
      kind: 'choice';
      name: string;
      label: string;
      any?: string;
      options: ChoiceTexts | (() => readonly Choice[]);
      /** The name of a filter that narrows this one further: unset with every other choice. */
      narrowedBy?: string;
      /** Not drawn while there is nothing to choose. */
      optional?: true;
    }
  | { kind: 'dates'; label: string }
  /** Without a control: set by links alone. */
  | { kind: 'link'; name: string }
) & { advanced?: boolean };

type ChoiceTexts = Readonly<Record<string, string>>;
interface Choice {
  value: string;
  label: string;
}

/** Where a button or link of a list leads; texts are text ids. */
interface Step {
  text: string;
  href: string;
}

/** A list of the console as data; texts are text ids. */
export interface List<C extends Call, Context> extends Omit<ListSource<C>, 'names'> {
  /** What it is called, for screen readers. */
  label: string;
  /** Under which this browser remembers its columns. */
  name: string;
  filters: readonly ListFilter[];
  /** Absent where the page draws its rows in another form than a table. */
  columns?: (tools: { t: Translate; tag: string }, context: Context) => Column<RowOf<C>>[];
  rowId: (row: RowOf<C>) => string;
  /** Where a row leads; the address' filters go with it. */
  href?: (row: RowOf<C>) => string;
  /** The page to add one, for those who may; without an address the page says what happens (`onAdd`). */
  add?: { text: string; permission: AnyPermission; href?: string };
  /** `file` is the name of the CSV file, without its extension. */
  export?: { text: string; permission: AnyPermission; call: LightCall; file: string };
  /** What goes here when nothing does; `step` where the first step is not to add one. */
  empty: { icon?: IconName; title: string; text?: string; step?: Step };
  skeletonRows?: number;
}

/** Declares a list, and collects the names of its filters. */
export function defineList<C extends Call, Context = undefined>(
  list: List<C, Context>,
): List<C, Context> & { names: readonly string[] } {
  return { ...list, names: list.filters.flatMap(namesOf) };
}

/** What the columns depend on, for lists that say so; stable between renders. */
type ContextProps<Context> = undefined extends Context ? { context?: Context } : { context: Context };

interface Props<C extends Call, Context> {
  list: List<C, Context>;
  /** What `useList` has read of it. */
  read: ListRead<C>;
  /** Further buttons beside the filters. */
  actions?: ReactNode;
  /** What happens where a list has no page to add one. */
  onAdd?: () => void;
  /** Rows that are no table. */
  draw?: { rows: (rows: readonly RowOf<C>[]) => ReactNode; skeleton: ReactNode };
  selection?: { ids: ReadonlySet<string>; set: (ids: ReadonlySet<string>) => void };
}

/** A list with its filters, pages and states. Every list of the console is drawn by this. */
export function ListView<C extends Call, Context>(props: Props<C, Context> & ContextProps<Context>) {
  const { list, read, actions, onAdd, draw, selection } = props;
  const context = props.context as Context;
  const { state, answer } = read;
  const t = useText();
  const tag = useLocaleTag();
  const search = useLocation({ select: (location) => location.searchStr });
  const columns = useMemo(() => list.columns?.({ t, tag }, context) ?? [], [list, t, tag, context]);
  const { href } = list;
  // Refused: neither filters nor buttons, which would offer what is refused as well.
  if (answer.error?.status === 403) return <NoPermission />;
  type Row = RowOf<C> & object;
  const table: DataTableProps<Row> = {
    ...tableOf<Row>(answer as Parameters<typeof tableOf<Row>>[0], state),
    label: t(list.label),
    name: list.name,
    columns: columns as Column<Row>[],
    rowId: list.rowId,
    ...(href && { rowHref: (row) => `${href(row)}${search}` }),
    ...(columns.some(({ sort }) => sort === 'server') && {
      sort: state.sort ?? list.order ?? null,
      onSort: state.setSort,
    }),
    ...(list.skeletonRows !== undefined && { skeletonRows: list.skeletonRows }),
    ...(selection && { selected: selection.ids, onSelect: selection.set }),
    ...(draw && { draw }),
    ...((list.filters.length > 0 || actions || list.export || list.add) && {
      toolbar: (chooser: ReactNode) => (
        <Toolbar list={list} read={read} actions={actions} chooser={chooser} onAdd={onAdd} />
      ),
    }),
    empty: <Empty list={list} read={read} onAdd={onAdd} />,
  };
  return <DataTable {...table} />;
}

interface PartProps<C extends Call> {
  list: List<C, never>;
  read: ListRead<C>;
  onAdd: (() => void) | undefined;
}

function Toolbar<C extends Call>(props: PartProps<C> & { actions: ReactNode; chooser: ReactNode }) {
  const { list, read, actions, chooser, onAdd } = props;
  const t = useText();
  const { state } = read;
  // On a phone all filters are behind one button: a second one beside it would only ask what the difference is.
  const narrow = useMedia(narrowScreen);
  const isAdvanced = list.filters.some(({ advanced, ...filter }) =>
    advanced ? namesOf(filter).some((name) => state.filters[name] !== undefined) : false,
  );
  const [isWanted, setWanted] = useState(false);
  const isOpen = isWanted || isAdvanced || narrow;
  const filters = useMemo(
    () => list.filters.flatMap((filter) => (filter.advanced && !isOpen ? [] : drawn(filter, t))),
    [list, t, isOpen],
  );
  const hasMore = !narrow && list.filters.some(({ advanced }) => advanced);
  const hasButtons = [hasMore, actions, chooser, list.export, list.add].some(Boolean);
  return (
    <>
      <FilterBar
        filters={filters}
        state={state}
        {...(hasButtons && {
          actions: (
            <>
              {hasMore && (
                <Button icon="filter" aria-expanded={isOpen} disabled={isAdvanced} onClick={() => setWanted(!isWanted)}>
                  {t(isOpen ? 'ui.filter.less' : 'ui.filter.more')}
                </Button>
              )}
              {actions}
              {list.export && <ExportButton of={list.export} asked={read.asked} />}
              <AddButton list={list} onAdd={onAdd} kind="primary" />
              {chooser}
            </>
          ),
        })}
      />
      {list.filters.map((filter) => {
        if (filter.kind !== 'amount') return null;
        const text = state.filters[filter.name];
        if (!isIgnored(list.call.query?.[filter.name], text)) return null;
        return (
          <p key={filter.name} role="status" className="m-0 text-13 text-negative">
            {t('ui.filter.ignored', { filter: t(filter.label), reason: t(whyIgnored(text)) })}
          </p>
        );
      })}
    </>
  );
}

/** Why an amount filter is not in force. How many decimals it may have is no reason: no asset is named. */
function whyIgnored(text = ''): string {
  const read = readFilterAmount(text);
  return amountRefusals['refused' in read && read.refused === 'separators' ? 'separators' : 'notAnAmount'];
}

function AddButton<C extends Call>({
  list: { add },
  onAdd,
  kind,
}: Omit<PartProps<C>, 'read'> & { kind: 'primary' | 'secondary' }) {
  const t = useText();
  const search = useLocation({ select: (location) => location.searchStr });
  const permissions = usePermissions();
  // Where nothing can be changed, it would lead to a form that cannot be sent.
  const isReadOnly = useContext(ReadOnly) !== null;
  if (!add || isReadOnly || !permissions?.includes(add.permission)) return null;
  if (add.href === undefined) {
    return (
      <Button kind={kind} icon="plus" onClick={onAdd}>
        {t(add.text)}
      </Button>
    );
  }
  return (
    <PlainLink href={`${add.href}${search}`} className={buttonClass(kind)}>
      <Icon name="plus" />
      {t(add.text)}
    </PlainLink>
  );
}

/** The list as it is filtered and ordered, all of its pages, as a file. */
function ExportButton({ of, asked }: { of: NonNullable<List<Call, never>['export']>; asked: Record<string, string> }) {
  const t = useText();
  const isAllowed = usePermission(of.permission);
  const [busy, setBusy] = useState(false);
  const start = async () => {
    setBusy(true);
    // Only who exports needs the code for it.
    await import('../lib/download.ts')
      .then(({ download }) => download(of.call, { query: asked } as never, `${of.file}.csv`))
      .catch(reportError);
    setBusy(false);
  };
  if (!isAllowed) return null;
  return (
    <Button icon="download" busy={busy} onClick={() => void start()}>
      {t(of.text)}
    </Button>
  );
}

function Empty<C extends Call>({ list, read, onAdd }: PartProps<C>) {
  const t = useText();
  const { icon, title, text, step } = list.empty;
  if (read.state.active > 0) {
    return (
      <EmptyState
        icon="search"
        title={t('ui.list.noMatch')}
        text={t('ui.list.noMatchText')}
        action={<Button onClick={read.state.clear}>{t('ui.list.clear')}</Button>}
      />
    );
  }
  const first = step ? (
    <PlainLink href={step.href} className={buttonClass('secondary')}>
      {t(step.text)}
    </PlainLink>
  ) : (
    <AddButton list={list} onAdd={onAdd} kind="secondary" />
  );
  return (
    <EmptyState
      {...(icon && { icon })}
      title={t(title)}
      {...(text !== undefined && { text: t(text) })}
      action={first}
    />
  );
}

function namesOf(filter: ListFilter): string[] {
  return filter.kind === 'dates' ? ['from', 'to'] : [filter.name];
}

/** A filter as the bar draws it: none of one that only links set. */
function drawn(filter: ListFilter, t: Translate): Filter<string>[] {
  switch (filter.kind) {
    case 'link':
      return [];
    case 'dates':
      return [{ kind: 'dates', from: 'from', to: 'to', label: t(filter.label) }];
    case 'choice': {
      const { any, options } = filter;
      const texts = () => Object.entries(options).map(([value, text]: [string, string]) => ({ value, label: t(text) }));
      const useOptions = typeof options === 'function' ? options : texts;
      return [{ ...filter, label: t(filter.label), ...(any !== undefined && { any: t(any) }), useOptions }];
    }
    case 'search':
      return [{ kind: 'search', name: filter.name, label: t(filter.label), placeholder: t(filter.label) }];
    case 'text':
    case 'amount':
      return [{ kind: filter.kind, name: filter.name, label: t(filter.label) }];
  }
}

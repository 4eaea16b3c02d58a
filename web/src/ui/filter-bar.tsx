import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { ListState } from '../lib/list-state.ts';
import { useText } from '../lib/locale.tsx';
import { readFilterAmount } from './amount-input.ts';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';
import { controlClass } from './control-look.ts';
import { DateRangeField } from './date-range-field.tsx';
import { Icon } from './icon.tsx';
import { narrowScreen, useMedia } from './media.ts';

interface Option {
  value: string;
  label: string;
}

/** One filter: a word to search for, an amount, one of a few, or a span of days (two names in the address). */
export type Filter<Name extends string> =
  | { kind: 'search'; name: Name; label: string; placeholder?: string }
  | { kind: 'text' | 'amount'; name: Name; label: string }
  | {
      kind: 'choice';
      name: Name;
      label: string;
      any?: string;
      useOptions: () => readonly Option[];
      narrowedBy?: Name;
      optional?: true;
    }
  | { kind: 'dates'; from: Name; to: Name; label: string };

interface Props<Name extends string> {
  filters: readonly Filter<Name>[];
  state: ListState<Name>;
  /** At the right: export, add. */
  actions?: ReactNode;
}

/** On a phone two are side by side and fill the line; on a wider screen each is as wide as what it holds. */
const share = 'min-w-36 flex-1 sm:min-w-0 sm:flex-none';

/**
 * The filters of a list; the address bar holds their values. On a phone all but the search are behind a button that says how many
 * are set, so that the list begins on the first screen.
 */
export function FilterBar<Name extends string>({ filters, state, actions }: Props<Name>) {
  const t = useText();
  const narrow = useMedia(narrowScreen);
  const [isWanted, setWanted] = useState(false);
  const rest = filters.filter(({ kind }) => kind !== 'search');
  const isSearched = rest.length < filters.length;
  const isBehind = narrow && rest.length > 1;
  const count = rest.filter((filter) => namesOf(filter).some((name) => state.filters[name] !== undefined)).length;
  const shown = isBehind && !isWanted ? [] : rest;
  return (
    <search aria-label={t('ui.filter.label')} className="flex flex-wrap items-end gap-3">
      {/* A line of their own, so that no action beside them makes the search too narrow for what it says. */}
      <div className={isBehind && isSearched ? 'flex w-full items-end gap-2' : 'contents'}>
        {filters
          .filter(({ kind }) => kind === 'search')
          .map((filter) => (
            <FilterControl key="search" filter={filter} state={state} besideButton={isBehind} />
          ))}
        {isBehind && (
          <Button icon="filter" aria-expanded={isWanted} onClick={() => setWanted(!isWanted)}>
            <span className={isSearched ? 'sr-only' : undefined}>{t('ui.filter.button', { count })}</span>
            {isSearched && count > 0 && <span aria-hidden="true">{count}</span>}
          </Button>
        )}
      </div>
      {shown.map((filter) => (
        <FilterControl key={namesOf(filter)[0]} filter={filter} state={state} />
      ))}
      {state.active > 0 && (
        <Button kind="quiet" icon="close" onClick={state.clear}>
          {t('ui.filter.clear', { count: state.active })}
        </Button>
      )}
      {actions !== undefined && <div className="ml-auto flex flex-wrap justify-end gap-2">{actions}</div>}
    </search>
  );
}

function namesOf<Name extends string>(filter: Filter<Name>): Name[] {
  return filter.kind === 'dates' ? [filter.from, filter.to] : [filter.name];
}

interface ControlProps<Name extends string> {
  filter: Filter<Name>;
  state: ListState<Name>;
  /** Shares its line with the button of the others, which the width of its placeholder would push to the next. */
  besideButton?: boolean;
}

function FilterControl<Name extends string>({ filter, state, besideButton = false }: ControlProps<Name>) {
  const set = (name: Name, value: string) => state.setFilters({ [name]: value } as Partial<Record<Name, string>>);
  switch (filter.kind) {
    case 'search':
    case 'text':
    case 'amount':
      return (
        <TypedFilter
          filter={filter}
          value={state.filters[filter.name] ?? ''}
          besideButton={besideButton}
          onSettled={(value) => set(filter.name, value)}
        />
      );
    case 'choice':
      return (
        <ChoiceFilter
          filter={filter}
          value={state.filters[filter.name] ?? ''}
          onChange={(value) =>
            state.setFilters({
              ...(filter.narrowedBy !== undefined && { [filter.narrowedBy]: null }),
              [filter.name]: value,
            } as Partial<Record<Name, string | null>>)
          }
        />
      );
    case 'dates':
      return (
        <div className={classNames(share, 'sm:min-w-44 [&_label]:font-normal [&_label]:text-12 [&_label]:text-faint')}>
          <DateRangeField
            label={filter.label}
            value={{ from: state.filters[filter.from] ?? '', to: state.filters[filter.to] ?? '' }}
            onChange={({ from, to }) =>
              state.setFilters({ [filter.from]: from, [filter.to]: to } as Partial<Record<Name, string>>)
            }
          />
        </div>
      );
  }
}

interface ChoiceFilterProps {
  filter: Extract<Filter<string>, { kind: 'choice' }>;
  value: string;
  onChange: (value: string) => void;
}

function ChoiceFilter({ filter, value, onChange }: ChoiceFilterProps) {
  const t = useText();
  const options = filter.useOptions();
  if (filter.optional && options.length === 0) return null;
  return (
    <label className={classNames(share, 'flex flex-col gap-1.5 text-12 text-faint')}>
      {filter.label}
      <span className="relative block">
        <select
          name={filter.name}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          className={controlClass('h-9 appearance-none pr-8 sm:max-w-56')}
        >
          <option value="">{filter.any ?? t('ui.filter.any')}</option>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
        <Icon name="chevronDown" className="pointer-events-none absolute top-2.5 right-2.5 text-faint" />
      </span>
    </label>
  );
}

const inputModes = { search: 'search', text: 'text', amount: 'decimal' } as const;

/** How long typing must rest before the list is asked for again, in milliseconds. */
const rest_ms = 350;

interface TypedFilterProps {
  filter: Extract<Filter<string>, { kind: 'search' | 'text' | 'amount' }>;
  value: string;
  besideButton: boolean;
  onSettled: (value: string) => void;
}

/** What a filter makes of a text; an amount that cannot be read is left as it is, for the list to say so. */
function meantBy(kind: TypedFilterProps['filter']['kind'], text: string): string {
  const trimmed = text.trim();
  if (kind !== 'amount') return trimmed;
  const read = readFilterAmount(trimmed);
  return 'amount' in read ? read.amount : trimmed;
}

/**
 * What is typed takes effect when typing rests or on Enter, so that not every letter asks the server. The grouping of an amount is taken
 * out of the field once it is left or Enter is pressed, and not under the fingers.
 */
function TypedFilter({ filter, value, besideButton, onSettled }: TypedFilterProps) {
  const t = useText();
  const [typed, setTyped] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const { kind } = filter;
  // The address may change from elsewhere: the back button, "clear". Letters typed meanwhile are on their way there, and a
  // space that parts two words is not taken away while the second is still to come.
  useEffect(() => {
    if (timer.current === undefined) setTyped((old) => (meantBy(kind, old) === value ? old : value));
  }, [value, kind]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const settle = (next: string) => {
    clearTimeout(timer.current);
    timer.current = undefined;
    if (next !== value) onSettled(next);
  };
  const finish = () => {
    const meant = meantBy(kind, typed);
    setTyped(meant);
    settle(meant);
  };
  const isWrong = kind === 'amount' && 'refused' in readFilterAmount(value);
  const search = kind === 'search';
  const placeholder = search ? (filter.placeholder ?? t('ui.filter.search')) : undefined;
  return (
    <label
      className={
        search ? 'min-w-40 flex-1 sm:max-w-120' : classNames(share, 'flex flex-col gap-1.5 text-12 text-faint sm:w-28')
      }
      {...(placeholder !== undefined && !besideButton && { style: { minWidth: widthFor(placeholder) } })}
    >
      <span className={search ? 'sr-only' : undefined}>{filter.label}</span>
      <span className="relative block">
        {search && <Icon name="search" className="pointer-events-none absolute top-2.5 left-2.5 text-faint" />}
        <input
          type={search ? 'search' : 'text'}
          name={filter.name}
          value={typed}
          inputMode={inputModes[kind]}
          aria-invalid={isWrong || undefined}
          placeholder={placeholder}
          data-page-search={search || undefined}
          className={controlClass(search ? 'h-9 pr-1.5 pl-8 text-ellipsis' : 'h-9')}
          onChange={(event) => {
            const next = event.target.value;
            setTyped(next);
            clearTimeout(timer.current);
            timer.current = setTimeout(() => settle(meantBy(kind, next)), rest_ms);
          }}
          onKeyDown={(event) => event.key === 'Enter' && finish()}
          onBlur={finish}
        />
      </span>
    </label>
  );
}

/** Wide enough for what a search says of itself, its icon included: letters are a little narrower than digits, Chinese characters twice as wide. */
function widthFor(placeholder: string): string {
  const digits = [...placeholder].reduce((sum, character) => sum + (character > '\u2e7f' ? 2 : 0.85), 0);
  return `min(100%, ${Math.ceil(digits)}ch + 3.5rem)`;
}

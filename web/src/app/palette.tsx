import { Dialog as Base } from '@base-ui/react/dialog';
import { useRouter } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useId, useMemo, useState } from 'react';
import { payeePalette } from '../features/payees/index.ts';
import { transactionPalette } from '../features/transactions/index.ts';
import { type Translate, useText } from '../lib/locale.tsx';
import { matches, type PaletteItem, paletteProviders, registerPaletteProvider } from '../lib/palette.ts';
import { reportError } from '../lib/report-error.ts';
import { useUser } from '../lib/user.ts';
import { classNames } from '../ui/class-names.ts';
import { Icon } from '../ui/icon.tsx';
import { homeEntry, type MenuEntry, menuGroups, morePages } from './menu-entries.ts';

registerPaletteProvider(payeePalette);
registerPaletteProvider(transactionPalette);

interface Group {
  label: string;
  items: readonly PaletteItem[];
}

/** Typing must rest this long before the features are asked, in milliseconds. */
const rest_ms = 200;
/** A single letter would match nearly everything. */
const shortestQuery = 2;

/** Ctrl-K: to any page, payee, transaction by typing a part of its name. */
export function Palette({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const t = useText();
  const router = useRouter();
  const listId = useId();
  const [query, setQuery] = useState('');
  const [place, setPlace] = useState(0);
  const { found, asking } = useFound(query, t);
  const items = found.flatMap((group) => group.items);
  const go = (item: PaletteItem | undefined) => {
    if (item === undefined) return;
    onOpenChange(false);
    setQuery('');
    router.history.push(item.href);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) setPlace((old) => (old + step + items.length) % Math.max(items.length, 1));
    else if (event.key === 'Enter') go(items[place]);
    else return;
    event.preventDefault();
  };
  return (
    <Base.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-scrim" />
        <Base.Popup
          aria-label={t('app.palette.label')}
          className="fixed top-[12vh] left-1/2 z-40 flex max-h-[70vh] w-[calc(100vw-32px)] max-w-140 -translate-x-1/2 flex-col overflow-hidden rounded-10 bg-raised shadow-float"
        >
          <div className="flex h-12 shrink-0 items-center gap-2.5 border-b border-line px-4">
            <Icon name="search" className="shrink-0 text-faint" />
            <input
              role="combobox"
              aria-label={t('app.palette.placeholder')}
              aria-expanded={items.length > 0}
              aria-controls={items.length > 0 ? listId : undefined}
              aria-activedescendant={items[place] && `${listId}-${place}`}
              placeholder={t('app.palette.placeholder')}
              value={query}
              className="h-full min-w-0 flex-1 border-0 bg-transparent outline-none"
              onChange={(event) => {
                setQuery(event.target.value);
                setPlace(0);
              }}
              onKeyDown={onKeyDown}
            />
          </div>
          {items.length === 0 ? (
            <p role="status" className="m-0 px-4 py-8 text-center text-13 text-faint">
              {asking ? t('ui.loading') : t('app.palette.empty', { query })}
            </p>
          ) : (
            <div
              id={listId}
              role="listbox"
              tabIndex={-1}
              aria-label={t('app.palette.label')}
              className="min-h-0 overflow-y-auto p-1.5"
            >
              <Groups groups={found} listId={listId} place={place} onPlace={setPlace} onChoose={go} />
            </div>
          )}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

interface GroupsProps {
  groups: readonly Group[];
  listId: string;
  place: number;
  onPlace: (place: number) => void;
  onChoose: (item: PaletteItem) => void;
}

function Groups({ groups, listId, place, onPlace, onChoose }: GroupsProps) {
  let index = -1;
  return groups.map((group) => (
    // biome-ignore lint/a11y/useSemanticElements: a group of options is no fieldset
    <div key={group.label} role="group" aria-label={group.label}>
      <div aria-hidden="true" className="px-2.5 pt-2 pb-1 text-12 text-faint">
        {group.label}
      </div>
      {group.items.map((item) => {
        index += 1;
        const own = index;
        return (
          <div
            key={item.key}
            ref={own === place ? intoView : undefined}
            id={`${listId}-${own}`}
            role="option"
            aria-selected={own === place}
            tabIndex={-1}
            className={classNames(
              'flex h-9 cursor-pointer items-center gap-3 rounded-6 px-2.5',
              own === place && 'bg-hover',
            )}
            onPointerMove={() => onPlace(own)}
            onClick={() => onChoose(item)}
            onKeyDown={(event) => event.key === 'Enter' && onChoose(item)}
          >
            <span className="min-w-0 flex-1 truncate">{item.label}</span>
            {item.detail !== undefined && <span className="text-12 text-faint">{item.detail}</span>}
          </div>
        );
      })}
    </div>
  ));
}

/** The arrow keys may lead past the edge of the list. */
function intoView(option: HTMLElement | null): void {
  option?.scrollIntoView({ block: 'nearest' });
}

/** The pages that match at once, then what the features find; `asking` while that is not yet known. */
function useFound(query: string, t: Translate): { found: readonly Group[]; asking: boolean } {
  const [more, setMore] = useState<readonly Group[]>([]);
  const permissions = useUser()?.permissions;
  const [asking, setAsking] = useState(false);
  const pages = useMemo(() => {
    const isOpen = ({ permission }: MenuEntry) => permission === undefined || permissions?.includes(permission);
    const entries = [
      { ...homeEntry, detail: '' },
      ...menuGroups.flatMap((group) => group.entries.map((entry) => ({ ...entry, detail: t(group.label) }))),
      ...morePages.filter(isOpen).map((entry) => ({ ...entry, detail: '' })),
    ];
    return entries
      .map(({ path, label, detail }) => ({ key: path, href: path, label: t(label), ...(detail && { detail }) }))
      .filter((item) => matches(`${item.label} ${item.detail ?? ''}`, query));
  }, [query, t, permissions]);
  useEffect(() => {
    setMore([]);
    const asks = query.trim().length >= shortestQuery;
    setAsking(asks);
    if (!asks) return undefined;
    const stop = new AbortController();
    const search = async () => {
      try {
        setMore(await ask(query.trim(), t, stop.signal));
      } catch (error) {
        reportError(error);
      }
      if (!stop.signal.aborted) setAsking(false);
    };
    const timer = setTimeout(() => void search(), rest_ms);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [query, t]);
  return { found: [...(pages.length > 0 ? [{ label: t('app.palette.pages'), items: pages }] : []), ...more], asking };
}

async function ask(query: string, t: Translate, signal: AbortSignal): Promise<readonly Group[]> {
  const groups = await Promise.all(
    paletteProviders().map(async (provider) => ({
      label: t(provider.label),
      items: await provider.search(query, signal),
    })),
  );
  return groups.filter((group) => group.items.length > 0);
}

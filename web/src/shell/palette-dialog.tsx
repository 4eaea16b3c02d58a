import { Dialog as Base } from '@base-ui/react/dialog';
import { useRouter } from '@tanstack/react-router';
import { type KeyboardEvent, useId, useState } from 'react';
import { useText } from '../lib/locale.tsx';
import type { PaletteItem } from '../lib/palette.ts';
import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { Icon } from '../ui/icon.tsx';
import { isOnToast } from '../ui/on-toast.ts';
import { Spinner } from '../ui/spinner.tsx';
import { Time } from '../ui/time.tsx';
import type { Menu, MenuEntry } from './menu.ts';
import { type Found, type FoundGroup, useFound } from './palette-search.ts';

export interface PaletteProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

interface Props extends PaletteProps {
  menu: Menu;
  /** Pages that are reached from others and not from the menu. */
  more: readonly MenuEntry[];
  /** What can be typed, in words. */
  placeholder: string;
}

/** Ctrl-K, and the header's field: to any page, and to whatever the console's features find, by typing what one knows of it. */
export function PaletteDialog({ open, onOpenChange, menu, more, placeholder }: Props) {
  const t = useText();
  const router = useRouter();
  const listId = useId();
  const [query, setQuery] = useState('');
  const [place, setPlace] = useState(0);
  const found = useFound(query, menu, more);
  const items = found.groups.flatMap((group) => group.items);
  const go = (item: PaletteItem | undefined) => {
    if (item === undefined) return;
    onOpenChange(false);
    setQuery('');
    router.history.push(item.href);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // An input method takes these keys to choose a character.
    if (event.nativeEvent.isComposing) return;
    const next = placeAfter(event.key, place, items.length);
    if (next !== null) setPlace(next);
    else if (event.key === 'Enter') go(items[place]);
    else return;
    event.preventDefault();
  };
  return (
    <Base.Root open={open} onOpenChange={(next, { event }) => isOnToast(event) || onOpenChange(next)}>
      <Base.Portal>
        <Base.Backdrop forceRender className="fixed inset-0 z-40 bg-scrim" />
        <Base.Popup
          aria-label={t('app.palette.label')}
          className="fixed top-[12vh] left-1/2 z-40 flex max-h-[70vh] w-[calc(100vw-32px)] max-w-140 -translate-x-1/2 flex-col overflow-hidden rounded-10 bg-raised shadow-float"
        >
          <div className="flex h-12 shrink-0 items-center gap-2.5 border-b border-line px-4">
            <Icon name="search" className="shrink-0 text-faint" />
            <input
              role="combobox"
              aria-label={placeholder}
              aria-expanded={items.length > 0}
              aria-controls={items.length > 0 ? listId : undefined}
              aria-activedescendant={items[place] && `${listId}-${place}`}
              placeholder={placeholder}
              value={query}
              className="h-full min-w-0 flex-1 border-0 bg-transparent text-ellipsis outline-none"
              onChange={(event) => {
                setQuery(event.target.value);
                setPlace(0);
              }}
              onKeyDown={onKeyDown}
            />
            {found.asking && <Spinner />}
          </div>
          {items.length > 0 && (
            <div
              id={listId}
              role="listbox"
              tabIndex={-1}
              aria-label={t('app.palette.label')}
              className="min-h-0 overflow-y-auto p-1.5"
            >
              <Groups groups={found.groups} listId={listId} place={place} onPlace={setPlace} onChoose={go} />
            </div>
          )}
          <State found={found} query={query} empty={items.length === 0} />
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

/** Where a key leads among so many items; null for a key that leads nowhere. */
function placeAfter(key: string, place: number, count: number): number | null {
  if (key === 'ArrowDown') return (place + 1) % Math.max(count, 1);
  if (key === 'ArrowUp') return (place - 1 + count) % Math.max(count, 1);
  if (key === 'PageDown') return Math.min(place + 8, Math.max(count - 1, 0));
  if (key === 'PageUp') return Math.max(place - 8, 0);
  return null;
}

/** Beneath what was found: that more may come, that something could not be searched, that there is nothing. */
function State({ found, query, empty }: { found: Found; query: string; empty: boolean }) {
  const t = useText();
  const { asking, failed, retry } = found;
  return (
    <div role="status" className={classNames('shrink-0 text-13 text-faint', !empty && 'border-t border-line')}>
      {asking ? (
        <p className={classNames('m-0 px-4', empty ? 'py-8 text-center' : 'py-2.5')}>{t('app.palette.searching')}</p>
      ) : failed.length > 0 ? (
        <div className="flex items-center gap-3 px-4 py-2.5 text-text">
          <Icon name="warning" className="shrink-0 text-negative" />
          <span className="min-w-0 flex-1">{t('app.palette.failed', { what: failed.join(' · ') })}</span>
          <Button size="small" onClick={retry}>
            {t('ui.retry')}
          </Button>
        </div>
      ) : (
        empty && <p className="m-0 px-4 py-8 text-center">{t('app.palette.empty', { query })}</p>
      )}
    </div>
  );
}

interface GroupsProps {
  groups: readonly FoundGroup[];
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
              'flex min-h-9 cursor-pointer flex-wrap items-center justify-between gap-x-3 rounded-6 px-2.5 py-1.5',
              own === place && 'bg-hover',
            )}
            onPointerMove={() => onPlace(own)}
            onClick={() => onChoose(item)}
            onKeyDown={(event) => event.key === 'Enter' && onChoose(item)}
          >
            <span className="max-w-full min-w-0 truncate">{item.label}</span>
            {(item.detail !== undefined || item.at !== undefined) && (
              <span className="figures max-w-full truncate text-12 text-faint">
                {item.detail}
                {item.at !== undefined && (
                  <>
                    {' · '}
                    <Time at={item.at} dateOnly />
                  </>
                )}
              </span>
            )}
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

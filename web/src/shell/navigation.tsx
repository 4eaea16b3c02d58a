import { Link, useLocation } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useText } from '../lib/locale.tsx';
import { type AnyPermission, usePermissions } from '../lib/permission.ts';
import { remember, remembered } from '../lib/storage.ts';
import { IconButton } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { useOpenedOnce, whenIdle } from '../ui/deferred.ts';
import { Icon } from '../ui/icon.tsx';
import { Logo } from '../ui/logo.tsx';
import { entryOf, isOffered, type Menu, type MenuEntry, type MenuGroup } from './menu.ts';

const loadDrawer = () => import('../ui/drawer.tsx');
const Drawer = lazy(async () => ({ default: (await loadDrawer()).Drawer }));

const collapsedKey = 'menu-collapsed';
const openKey = 'menu-open';
const permissionsKey = 'menu-permissions';

interface Props {
  menu: Menu;
  drawerOpen: boolean;
  onDrawerChange: (open: boolean) => void;
}

/** The menu: 208 px, icons alone when collapsed, a drawer on narrow screens. */
export function Navigation({ menu, drawerOpen, onDrawerChange }: Props) {
  const t = useText();
  const [collapsed, setCollapsed] = useState(() => remembered(collapsedKey) === 'yes');
  const drawerNeeded = useOpenedOnce(drawerOpen);
  whenIdle(loadDrawer);
  const toggle = () => {
    setCollapsed(!collapsed);
    remember(collapsedKey, collapsed ? null : 'yes');
  };
  return (
    <>
      <nav
        aria-label={t('app.nav.label')}
        className={classNames(
          'sticky top-0 hidden h-dvh shrink-0 flex-col border-r border-line bg-surface md:flex',
          collapsed ? 'w-14' : 'w-52',
        )}
      >
        <div className={classNames('flex h-15 shrink-0 items-center', collapsed ? 'justify-center' : 'px-4')}>
          <Link to="/app/home" className="text-text no-underline">
            <Logo small={collapsed} />
          </Link>
        </div>
        <div className="min-h-0 flex-1 overflow-y-auto px-2 py-2">
          {collapsed ? <CollapsedEntries menu={menu} /> : <Entries menu={menu} />}
        </div>
        <div className={classNames('flex p-2', collapsed ? 'justify-center' : 'justify-end')}>
          <IconButton
            icon="sidebar"
            label={t(collapsed ? 'app.nav.expand' : 'app.nav.collapse')}
            aria-expanded={!collapsed}
            onClick={toggle}
          />
        </div>
      </nav>
      {drawerNeeded && (
        <Suspense>
          <Drawer open={drawerOpen} onOpenChange={onDrawerChange} title={t('app.nav.label')} side="left">
            <nav aria-label={t('app.nav.label')} className="px-2 pb-4">
              <Entries menu={menu} />
            </nav>
          </Drawer>
        </Suspense>
      )}
    </>
  );
}

/** Which groups are open, remembered in this browser; all are at first. */
function useOpenGroups({ groups }: Menu): [ReadonlySet<string>, (key: string) => void] {
  const [open, setOpen] = useState<ReadonlySet<string>>(() => {
    const stored = remembered(openKey);
    return new Set(stored === null ? groups.map((group) => group.key) : stored.split(','));
  });
  const toggle = (key: string) => {
    const next = new Set(open);
    if (!next.delete(key)) next.add(key);
    setOpen(next);
    remember(openKey, [...next].join(','));
  };
  return [open, toggle];
}

/**
 * The groups with the entries that the person may use. Until their permissions have been read, those that this browser last
 * showed: entries that come later would move the others under the pointer.
 */
function useGroups({ groups }: Menu): MenuGroup[] {
  const read = usePermissions();
  useEffect(() => {
    if (read !== undefined) remember(permissionsKey, read.join(','));
  }, [read]);
  const permissions = read ?? ((remembered(permissionsKey)?.split(',') ?? []) as AnyPermission[]);
  return groups
    .map((group) => ({ ...group, entries: group.entries.filter((entry) => isOffered(entry, permissions)) }))
    .filter(({ entries }) => entries.length > 0);
}

function Entries({ menu }: { menu: Menu }) {
  const groups = useGroups(menu);
  const [open, toggle] = useOpenGroups(menu);
  return (
    <>
      <EntryLink menu={menu} entry={menu.home} />
      {groups.map((group) => (
        <Group
          key={group.key}
          menu={menu}
          group={group}
          open={open.has(group.key)}
          onToggle={() => toggle(group.key)}
        />
      ))}
    </>
  );
}

interface GroupProps {
  menu: Menu;
  group: MenuGroup;
  open: boolean;
  onToggle: () => void;
}

function Group({ menu, group, open, onToggle }: GroupProps) {
  const t = useText();
  return (
    <div className="mt-4">
      <button
        type="button"
        aria-expanded={open}
        onClick={onToggle}
        className="flex h-8 w-full items-center justify-between rounded-6 px-2.5 text-12 font-medium text-faint hover:bg-hover hover:text-text"
      >
        {t(group.label)}
        <Icon name={open ? 'chevronDown' : 'chevronRight'} size={12} />
      </button>
      {open && group.entries.map((entry) => <EntryLink key={entry.path} menu={menu} entry={entry} />)}
    </div>
  );
}

function CollapsedEntries({ menu }: { menu: Menu }) {
  const groups = useGroups(menu);
  return (
    <>
      <EntryLink menu={menu} entry={menu.home} iconOnly />
      {groups.map((group) => (
        <div key={group.key} className="mt-2 border-t border-line pt-2">
          {group.entries.map((entry) => (
            <EntryLink key={entry.path} menu={menu} entry={entry} iconOnly />
          ))}
        </div>
      ))}
    </>
  );
}

function EntryLink({ menu, entry, iconOnly }: { menu: Menu; entry: MenuEntry; iconOnly?: boolean }) {
  const t = useText();
  const path = useLocation({ select: (location) => location.pathname });
  const current = entryOf(menu, path)?.path === entry.path;
  const name = t(entry.label);
  return (
    <Link
      to={entry.path}
      aria-current={current ? 'page' : undefined}
      title={iconOnly ? name : undefined}
      className={classNames(
        'my-px flex h-8 items-center gap-2 rounded-6 text-13 no-underline',
        iconOnly ? 'justify-center' : 'px-2.5',
        current ? 'bg-accent-soft font-medium text-accent' : 'text-muted hover:bg-hover hover:text-text',
      )}
    >
      <Icon name={entry.icon} />
      <span className={iconOnly ? 'sr-only' : 'min-w-0 flex-1 truncate'}>{name}</span>
    </Link>
  );
}

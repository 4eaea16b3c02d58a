import { useEffect, useMemo, useState } from 'react';
import { type Translate, useText } from '../lib/locale.tsx';
import { matches, type PaletteItem, type PaletteProvider, paletteProviders } from '../lib/palette.ts';
import { type AnyPermission, usePermissions } from '../lib/permission.ts';
import { isOffered, type Menu, type MenuEntry } from './menu.ts';

export interface FoundGroup {
  label: string;
  items: readonly PaletteItem[];
}

export interface Found {
  groups: readonly FoundGroup[];
  /** The features have not answered yet. */
  asking: boolean;
  /** What could not be searched, in words. */
  failed: readonly string[];
  retry: () => void;
}

/** Typing must rest this long before the features are asked, in milliseconds. */
const rest_ms = 200;
/** A single letter would match nearly everything. */
const shortestQuery = 2;

interface Answer {
  groups: readonly FoundGroup[];
  failed: readonly string[];
}
const nothing: Answer = { groups: [], failed: [] };

/** The pages that match at once, then what the features find for this person. */
export function useFound(query: string, menu: Menu, more: readonly MenuEntry[]): Found {
  const t = useText();
  const permissions = usePermissions();
  const pages = usePages(query, { menu, more }, t, permissions);
  const [answer, setAnswer] = useState(nothing);
  const [asking, setAsking] = useState(false);
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try asks the same again
  useEffect(() => {
    setAnswer(nothing);
    const asks = query.trim().length >= shortestQuery;
    setAsking(asks);
    if (!asks) return undefined;
    const stop = new AbortController();
    const search = async () => {
      const found = await ask(offered(permissions), query.trim(), t, stop.signal);
      if (stop.signal.aborted) return;
      setAnswer(found);
      setAsking(false);
    };
    const timer = setTimeout(() => void search(), rest_ms);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [query, t, permissions, tries]);
  const groups = pages.length > 0 ? [{ label: t('app.palette.pages'), items: pages }] : [];
  return {
    groups: [...groups, ...answer.groups],
    asking,
    failed: answer.failed,
    retry: () => setTries((count) => count + 1),
  };
}

function usePages(
  query: string,
  { menu, more }: { menu: Menu; more: readonly MenuEntry[] },
  t: Translate,
  permissions: readonly AnyPermission[] | undefined,
): PaletteItem[] {
  return useMemo(() => {
    const pages = [
      { ...menu.home, group: '' },
      ...menu.groups.flatMap(({ label, entries }) => entries.map((entry) => ({ ...entry, group: t(label) }))),
      ...more.map((entry) => ({ ...entry, group: '' })),
    ];
    return pages
      .filter((entry) => isOffered(entry, permissions))
      .map(({ path, label, group }) => ({
        ...{ key: path, href: path, label: t(label) },
        ...(group !== '' && { detail: group }),
      }))
      .filter((item) => matches(`${item.label} ${item.detail ?? ''}`, query));
  }, [query, menu, more, t, permissions]);
}

function offered(permissions: readonly AnyPermission[] | undefined): PaletteProvider[] {
  return paletteProviders().filter(({ permission }) => permissions?.includes(permission));
}

/** Asks all at once; one that fails leaves the others' answers. */
async function ask(
  providers: readonly PaletteProvider[],
  query: string,
  t: Translate,
  signal: AbortSignal,
): Promise<Answer> {
  const answers = await Promise.allSettled(providers.map((provider) => provider.search(query, signal)));
  const labelled = answers.map((answer, index) => ({ answer, label: t(providers[index]?.label ?? '') }));
  return {
    groups: labelled.flatMap(({ answer, label }) =>
      answer.status === 'fulfilled' && answer.value.length > 0 ? [{ label, items: answer.value }] : [],
    ),
    failed: labelled.filter(({ answer }) => answer.status === 'rejected').map(({ label }) => label),
  };
}

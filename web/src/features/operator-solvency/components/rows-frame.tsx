import type { ReactNode } from 'react';
import { dayOf } from '../../../lib/days.ts';
import { useFormats } from '../../../lib/format.ts';
import { type ListState, useListState } from '../../../lib/list-state.ts';
import { useText } from '../../../lib/locale.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import type { OfAsset } from '../api.ts';

const names = ['day', 'asset', 'chain', 'owner'] as const;
const isoDay = /^\d{4}-\d{2}-\d{2}$/;
const symbol = /^[A-Z][A-Z0-9]{1,9}$/;

interface Props {
  children: (of: OfAsset, list: ListState<(typeof names)[number]>) => ReactNode;
}

/** The rows behind one figure: of which asset and day, as the address says, and the way back to the figures. */
export function RowsFrame({ children }: Props) {
  const t = useText();
  const formats = useFormats();
  const list = useListState(names);
  const { day = '', asset = '' } = list.filters;
  const isKnown = isoDay.test(day) && symbol.test(asset);
  return (
    <Frame
      intro={isKnown && t('ops.solvency.rowsOf', { asset, day: formats.date(dayOf(day)) })}
      actions={
        <PlainLink
          href={`/app/solvency${isKnown ? `?${new URLSearchParams({ day })}` : ''}`}
          className="inline-flex items-center gap-1 text-13 text-accent hover:underline"
        >
          <Icon name="chevronLeft" />
          {t('ops.title.solvency')}
        </PlainLink>
      }
    >
      {isKnown ? (
        children({ day, asset }, list)
      ) : (
        <EmptyState title={t('ops.solvency.noFigure')} text={t('ops.solvency.noFigureText')} />
      )}
    </Frame>
  );
}

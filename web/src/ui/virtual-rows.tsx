import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { DataRows } from './data-rows.tsx';
import type { TableView } from './data-table-view.ts';

const rowHeight_px = 45;
const overscan = 6;

/** A long list: only the rows in sight, and a few on either side, are in the page. */
export function VirtualRows({ view }: { view: TableView<object> }) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: view.rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight_px,
    overscan,
  });
  const items = virtualizer.getVirtualItems();
  const window = {
    scroller,
    shown: items.map((item) => item.index),
    before_px: items[0]?.start ?? 0,
    after_px: virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0),
  };
  return <DataRows view={view} window={window} />;
}

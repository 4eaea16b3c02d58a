import { type ReactNode, useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { Button } from '../../../ui/button.tsx';

interface Pages {
  cursor: string | undefined;
  /** The buttons, given the cursor of what is older; nothing where all fits on one page. */
  buttons: (next: string | null) => ReactNode;
}

/** The pages of a history inside a panel, from the newest backwards. */
export function usePages(): Pages {
  const t = useText();
  const [cursors, setCursors] = useState<readonly string[]>([]);
  return {
    cursor: cursors.at(-1),
    buttons: (next) =>
      (cursors.length > 0 || next !== null) && (
        <div className="mt-4 flex gap-2">
          <Button size="small" disabled={cursors.length === 0} onClick={() => setCursors(cursors.slice(0, -1))}>
            {t('risk.newer')}
          </Button>
          <Button size="small" disabled={next === null} onClick={() => next !== null && setCursors([...cursors, next])}>
            {t('risk.older')}
          </Button>
        </div>
      ),
  };
}

/** The query of a page of a history. */
export function pageOf(cursor: string | undefined): { size: '20'; cursor?: string } {
  return { size: '20', ...(cursor !== undefined && { cursor }) };
}

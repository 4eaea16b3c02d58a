import type { ApprovalOutcome } from '@causeway/contract/approvals-rules.ts';
import { useEffect } from 'react';

type Keys = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>;

const outcomes: ReadonlyMap<string, ApprovalOutcome> = new Map([
  ['a', 'approved'],
  ['r', 'rejected'],
]);

/** One that is still fading away takes no keys any more. */
const openDialog = '[role="dialog"]:not([data-closed])';

/** The decision of a key; null when it has none. `openDialogs` counts the panel, itself one: over it lies another from two on. */
export function outcomeOf(keys: Keys, typing: boolean, openDialogs: number): ApprovalOutcome | null {
  if (typing || openDialogs > 1 || keys.ctrlKey || keys.metaKey || keys.altKey) return null;
  return outcomes.get(keys.key.toLowerCase()) ?? null;
}

/** `a` opens the approval, `r` the rejection, while the panel is open, nothing lies over it and no field has the focus. */
export function useDecisionKeys(active: boolean, open: (outcome: ApprovalOutcome) => void): void {
  useEffect(() => {
    if (!active) return;
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement | null;
      const typing = target?.closest('input, textarea, select, [contenteditable]') != null;
      const outcome = outcomeOf(event, typing, document.querySelectorAll(openDialog).length);
      if (outcome === null || event.defaultPrevented) return;
      event.preventDefault();
      open(outcome);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [active, open]);
}

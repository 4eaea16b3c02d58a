import type { ApprovalOutcome } from '@causeway/contract/approvals-rules.ts';
import { useEffect } from 'react';

/** `a` opens the approval, `r` the rejection, while the panel is open and nobody types. */
export function useDecisionKeys(active: boolean, open: (outcome: ApprovalOutcome) => void): void {
  useEffect(() => {
    if (!active) return;
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement | null;
      const typing = target?.closest('input, textarea, select, [contenteditable]') != null;
      if (typing || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const outcome = { a: 'approved', r: 'rejected' }[event.key.toLowerCase()] as ApprovalOutcome | undefined;
      if (outcome === undefined) return;
      event.preventDefault();
      open(outcome);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [active, open]);
}

import { useEffect } from 'react';
import { commentFieldId } from './comment-form.tsx';

/** One that is still fading away takes no keys any more. */
const openDialog = '[role="dialog"]:not([data-closed])';

/** `t` takes the item, where it can be taken, and `c` goes to the comment, while no dialog lies over the panel and no field has the focus. */
export function useItemKeys(take: (() => void) | null): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement | null;
      const isTyping = target?.closest('input, textarea, select, [contenteditable]') != null;
      if (isTyping || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (document.querySelectorAll(openDialog).length > 1) return;
      const key = event.key.toLowerCase();
      if (key === 't' && take !== null) take();
      else if (key === 'c') document.querySelector<HTMLElement>(`[${commentFieldId}]`)?.focus();
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [take]);
}

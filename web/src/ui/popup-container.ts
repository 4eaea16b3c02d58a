import type { RefObject } from 'react';

/**
 * Where lists and menus that open over the page are put: inside the dialog that is open, since everything beside it is
 * closed to screen readers for that long; else inside the page's main landmark, so that a screen reader which walks by
 * landmarks finds them; in the body where there is none. Looked up when one opens, not when its button is drawn.
 */
export const popupContainer: RefObject<HTMLElement | null> = {
  get current() {
    const dialogs = document.querySelectorAll<HTMLElement>(
      '[role="dialog"][data-open], [role="alertdialog"][data-open]',
    );
    return [...dialogs].at(-1) ?? document.getElementById('content') ?? document.body;
  },
};

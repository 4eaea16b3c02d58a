import type { RefObject } from 'react';

/**
 * Where lists and menus that open over the page are put: inside the page's main landmark, so that a screen reader which
 * walks by landmarks finds them; in the body where there is none. Looked up when one opens, not when its button is drawn.
 */
export const popupContainer: RefObject<HTMLElement | null> = {
  get current() {
    return document.getElementById('content') ?? document.body;
  },
};

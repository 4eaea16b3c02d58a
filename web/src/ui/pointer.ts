let isDown = false;
const waiting = new Set<() => void>();

/**
 * Runs something that may move what is on the page: at once, or, while a button of the mouse or a finger is down, after
 * its click. A field that is left by pressing on something else would otherwise push that away with its error, and the
 * click would miss it.
 */
export function afterPress(work: () => void): void {
  if (isDown) waiting.add(work);
  else work();
}

function release(): void {
  isDown = false;
  // The click comes right after the release, in the same task or the next.
  setTimeout(() => {
    const due = [...waiting];
    waiting.clear();
    for (const work of due) work();
  }, 0);
}

if (typeof window !== 'undefined') {
  window.addEventListener('pointerdown', () => (isDown = true), { capture: true });
  for (const end of ['pointerup', 'pointercancel'] as const) window.addEventListener(end, release, { capture: true });
}

/** Whether a press that would close a dialog was on a toast: to dismiss a message is not to leave the dialog beneath it. */
export function isOnToast({ target }: Event): boolean {
  return target instanceof Element && target.closest('[data-toast]') !== null;
}

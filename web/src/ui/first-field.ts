/**
 * The field that has focus when a dialog with a form opens: the form's first; of radio buttons, the chosen one. Null without a
 * form, and for a field below the visible part of the dialog's body: the text above it is read first.
 */
export function firstFieldOf(body: HTMLElement): HTMLElement | null {
  const controls = body.querySelectorAll<HTMLElement>('form :is(input, textarea, select, [role="combobox"])');
  const first = [...controls].find(takesFocus);
  if (first === undefined) return null;
  return first.getBoundingClientRect().bottom <= body.getBoundingClientRect().bottom ? first : null;
}

function takesFocus(control: HTMLElement): boolean {
  if (control.tabIndex < 0 || control.matches(':disabled') || !control.checkVisibility()) return false;
  return !(control instanceof HTMLInputElement && control.type === 'radio') || control.checked;
}

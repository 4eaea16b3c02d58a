/** What a toast says about: something done, something wrong, something to know. */
export type ToastKind = 'success' | 'error' | 'notice';

export interface Toast {
  id: number;
  kind: ToastKind;
  text: string;
  /** A second line: a request id, a link's text. */
  detail?: string;
  /** Stays when the person moves on: it is about the session, and not about the page that they leave. */
  lasting?: boolean;
}

/** How long a toast stays, in milliseconds; an error stays longer, because it must be read. */
const stay_ms: Record<ToastKind, number> = { success: 4000, notice: 5000, error: 8000 };
/** Two fit above a page's content; what is older has been on screen long enough. */
const most = 2;

type ToastOptions = Pick<Toast, 'detail' | 'lasting'> & { stay_ms?: number };

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

/**
 * Shows a toast. The one place in the web app that does so; `ui/toast.tsx` draws them. The same text twice at once is one
 * toast, so that five failing queries do not shout five times.
 */
export function toast(kind: ToastKind, text: string, options: ToastOptions = {}): void {
  const same = toasts.find((shown) => shown.text === text && shown.kind === kind);
  if (same !== undefined) dismissToast(same.id);
  lastId += 1;
  const id = lastId;
  const { stay_ms: ownStay_ms, ...rest } = options;
  // What is wrong now replaces what was wrong before: messages of several tries would pile up.
  const others = kind === 'error' ? toasts.filter((shown) => shown.kind !== 'error' || shown.lasting) : toasts;
  set([...others, { id, kind, text, ...rest }].slice(-most));
  setTimeout(() => dismissToast(id), ownStay_ms ?? stay_ms[kind]);
}

/** Takes failures away that no longer hold: the page they were about has been left, the form is sent again. */
export function dismissFailures(): void {
  const rest = toasts.filter(({ kind, lasting }) => kind !== 'error' || lasting);
  if (rest.length < toasts.length) set(rest);
}

export function dismissToast(id: number): void {
  if (toasts.some((shown) => shown.id === id)) set(toasts.filter((shown) => shown.id !== id));
}

export function shownToasts(): readonly Toast[] {
  return toasts;
}

export function subscribeToToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function set(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

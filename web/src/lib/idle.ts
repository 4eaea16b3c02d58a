import { remember, remembered } from './storage.ts';

/** All times in milliseconds. */
export interface IdleTimings {
  /** Without mouse or key for this long, the warning shows. */
  timeout_ms: number;
  /** Activity is looked at no more often than this. */
  sample_ms: number;
  /** How long the warning shows before the session ends. */
  warning_ms: number;
  /** The server hears of activity no more often than this. */
  report_ms: number;
}

export interface IdleHandlers {
  /** The person has been away: show the warning. */
  onWarn: () => void;
  /** The warning has been shown for long enough: end the session. */
  onEnd: () => void;
  /** The person is there: tell the server. */
  onReport: () => void;
}

const activityKey = 'activity';
const reportKey = 'activity-reported';
const events = ['mousemove', 'mousedown', 'wheel', 'keydown', 'touchstart'] as const;

/**
 * Watches for inactivity (decisions, "Session"). The time of the last activity is kept in local storage, so that all
 * tabs of a browser count as one; the first tab that finds it too long ago warns, and ends the session a little later.
 * Returns a function that stops the watch.
 */
export function watchIdle(target: EventTarget, timings: IdleTimings, handlers: IdleHandlers): () => void {
  let lastSample = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let warned = false;

  const lastActivity = () => Number(remembered(activityKey) ?? 0);
  const remaining = () => lastActivity() + timings.timeout_ms - Date.now();

  function check(): void {
    clearTimeout(timer);
    if (warned) return;
    const rest = remaining();
    if (rest > 0) {
      timer = setTimeout(check, rest);
      return;
    }
    warned = true;
    handlers.onWarn();
    timer = setTimeout(handlers.onEnd, timings.warning_ms);
  }

  function active(): void {
    const now = Date.now();
    if (warned || now - lastSample < timings.sample_ms) return;
    // A machine that wakes from sleep delivers the mouse before the timer: too late is too late.
    if (lastSample !== 0 && remaining() <= 0) {
      check();
      return;
    }
    lastSample = now;
    remember(activityKey, String(now));
    if (now - Number(remembered(reportKey) ?? 0) < timings.report_ms) return;
    remember(reportKey, String(now));
    handlers.onReport();
  }

  remember(activityKey, String(Date.now()));
  for (const event of events) target.addEventListener(event, active, { passive: true, capture: true });
  target.addEventListener('visibilitychange', check);
  check();
  return () => {
    clearTimeout(timer);
    for (const event of events) target.removeEventListener(event, active, { capture: true });
    target.removeEventListener('visibilitychange', check);
  };
}

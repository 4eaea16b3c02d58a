import { type WebhookProblem, webhookFailingDays, webhookRetrySeconds } from '@causeway/contract/webhooks-rules.ts';

/** How deliveries repeat, and when an endpoint is left alone: pure. Times in milliseconds. */

const second = 1000;
const dayMs = 86_400 * second;

/** So many deliveries of one endpoint are under way at once; one that keeps failing gets one at a time. */
export const mostPerEndpoint = 4;
/** From so many failures in a row on, an endpoint is tried again only after a pause. */
export const failuresBeforePause = 5;
const firstPauseMs = 10 * second;
const longestPauseMs = 300 * second;

/** A tenth more or less, so that what failed together does not come back together. @param random from 0 to 1 */
function spread(ms: number, random: number): number {
  return Math.round(ms * (0.9 + 0.2 * random));
}

/** How long a delivery waits after so many tries (1: the first has failed); null: there is no further one. */
export function pauseAfter(tries: number, random: number): number | null {
  const seconds = webhookRetrySeconds[tries - 1];
  return seconds === undefined ? null : spread(seconds * second, random);
}

/** How long an endpoint is left alone after so many failures in a row, whatever waits for it. */
export function pauseOfEndpoint(failures: number, random: number): number | null {
  if (failures < failuresBeforePause) return null;
  return spread(Math.min(firstPauseMs * 2 ** (failures - failuresBeforePause), longestPauseMs), random);
}

/** What is known of an endpoint's last attempts. */
export interface Health {
  failures: number;
  failingSince: Date | null;
  pausedUntil: Date | null;
}

/** The same after an attempt, and whether the endpoint is switched off by it. */
export function healthAfter(
  { failures, failingSince }: Health,
  problem: WebhookProblem | null,
  now: Date,
  random: number,
): Health & { off: 'gone' | 'failing' | null } {
  if (problem === null) return { failures: 0, failingSince: null, pausedUntil: null, off: null };
  const since = failingSince ?? now;
  const pause = pauseOfEndpoint(failures + 1, random);
  const isFailing = now.getTime() - since.getTime() >= webhookFailingDays * dayMs;
  return {
    failures: failures + 1,
    failingSince: since,
    pausedUntil: pause === null ? null : new Date(now.getTime() + pause),
    off: problem === 'gone' ? 'gone' : isFailing ? 'failing' : null,
  };
}

/** The id by which a receiver knows an event again, in the header `webhook-id`. */
export function messageIdOf(eventId: string): string {
  return `evt_${eventId}`;
}

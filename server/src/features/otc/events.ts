import type { OutboxEvent } from '../../platform/database/outbox.ts';

export const otcEvents = {
  /** `{ requestId, seq }`: the desk has quoted, declined or written. The database announces it (`otc_announce`). */
  answered: 'otc.answered',
  /** `{ requestId, seq }`: the deadline has passed. */
  lapsed: 'otc.lapsed',
} as const;

export function lapsed(requestId: string, seq: number): OutboxEvent {
  return { name: otcEvents.lapsed, payload: { requestId, seq } };
}

import type { OutboxEvent } from '../../platform/database/outbox.ts';
import { newId } from '../../platform/ids.ts';

export const otcEvents = {
  /** `{ id, requestId, seq }`: the desk has quoted, declined or written. The database announces it (`otc_announce`). */
  answered: 'otc.answered',
  /** `{ id, requestId, seq }`: the deadline has passed. */
  lapsed: 'otc.lapsed',
} as const;

export function lapsed(requestId: string, seq: number): OutboxEvent {
  return { name: otcEvents.lapsed, payload: { id: newId(), requestId, seq } };
}

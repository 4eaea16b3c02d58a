import type { OutboxEvent } from '../../platform/database/outbox.ts';
import type { TradeNews } from './domain.ts';

export const tradeEvents = {
  /** `LineWritten`: a line of a trade's timeline was written. */
  line: 'trade.line',
  /** `{ companyId, messageId }`: an operator has a message to the platform sent now. */
  resend: 'operator.resendTradeMessage',
} as const;

export interface LineWritten {
  tradeId: string;
  lineId: string;
  /** What of an event is new to the company. */
  news: TradeNews | null;
  /** The member who did it. */
  byId: string | null;
}

export function lineWritten(line: LineWritten): OutboxEvent {
  return { name: tradeEvents.line, payload: { ...line } };
}

export function messageToResend(message: { companyId: string; messageId: string }): OutboxEvent {
  return { name: tradeEvents.resend, payload: { ...message } };
}

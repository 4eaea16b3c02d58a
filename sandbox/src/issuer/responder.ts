import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import type { Decision } from './lifecycle.ts';
import { signed } from './messages.ts';
import { type Answer, type Card, type Reader, type Step, settingsOf, type Transaction } from './model.ts';
import { approvalShape } from './shapes.ts';

/** Asks the programme whether a purchase is approved (Auth Stream Access), and declines where no answer of use comes in time. */

const LARGEST_ANSWER = 100_000;

const answerSchema = z.object({
  result: z.string(),
  token: z.optional(z.string()),
  approved_amount: z.optional(z.int().check(z.gte(0))),
});

/** The transaction's result and the event's detailed one, by the programme's answer. */
const REFUSALS: Readonly<Record<string, readonly [string, string]>> = {
  AVS_INVALID: ['DECLINED', 'ADDRESS_INCORRECT'],
  CARD_PAUSED: ['CARD_PAUSED', 'CARD_PAUSED'],
  INSUFFICIENT_FUNDS: ['INSUFFICIENT_FUNDS', 'INSUFFICIENT_FUNDS'],
  UNAUTHORIZED_MERCHANT: ['UNAUTHORIZED_MERCHANT', 'UNAUTHORIZED_MERCHANT'],
  VELOCITY_EXCEEDED: ['USER_TRANSACTION_LIMIT', 'CARD_SPEND_LIMIT_EXCEEDED'],
  DRIVER_NUMBER_INVALID: ['DECLINED', 'DRIVER_NUMBER_INVALID'],
  VEHICLE_NUMBER_INVALID: ['DECLINED', 'VEHICLE_NUMBER_INVALID'],
  SUSPECTED_FRAUD: ['SUSPECTED_FRAUD', 'SUSPECTED_FRAUD'],
};

export async function askResponder(
  read: Reader,
  { card, transaction, step }: { card: Readonly<Card>; transaction: Readonly<Transaction>; step: Readonly<Step> },
  timeoutMs: number,
): Promise<Decision> {
  const { responderUrl, responderSecret, previousResponderSecret } = settingsOf(read);
  if (responderUrl === null) return declined('DECLINED', 'DO_NOT_HONOR', null);
  const body = JSON.stringify(approvalShape(card, transaction, step));
  const isPreviousValid = previousResponderSecret !== null && previousResponderSecret.until > Date.now();
  const secrets = [responderSecret, ...(isPreviousValid ? [previousResponderSecret.secret] : [])];
  const id = `asa_${randomUUID().replaceAll('-', '')}`;
  const at = Date.now();
  const answered = (outcome: string, text = ''): Answer => ({
    ...{ at, elapsedMs: Date.now() - at, amount: step.amount, outcome, body: text },
  });
  let text: string;
  try {
    const response = await fetch(responderUrl, {
      method: 'POST',
      redirect: 'manual',
      headers: signed(id, at, body, secrets),
      body,
      signal: AbortSignal.timeout(timeoutMs),
    });
    text = (await response.text()).slice(0, LARGEST_ANSWER);
    if (response.status !== 200)
      return declined('DECLINED', 'MALFORMED_ASA_RESPONSE', answered(`status ${response.status}`, text));
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError';
    return declined('UNKNOWN_HOST_TIMEOUT', 'CUSTOMER_ASA_TIMEOUT', answered(isLate ? 'timeout' : 'unreachable'));
  }
  const parsed = answerSchema.safeParse(jsonOf(text));
  const isForThis = parsed.success && (parsed.data.token ?? transaction.token) === transaction.token;
  if (!isForThis) return declined('DECLINED', 'MALFORMED_ASA_RESPONSE', answered('malformed', text));
  const { result, approved_amount: approvedAmount = null } = parsed.data;
  const answer = answered(result, text);
  if (result !== 'APPROVED') {
    const [own, detailed] = REFUSALS[result] ?? ['DECLINED', 'CUSTOM_ASA_RESULT'];
    return declined(own, detailed, answer);
  }
  if (approvedAmount === null) return { result, detailedResult: result, approvedAmount: null, answer };
  // Less than was asked for is for terminals that can take it, and for them alone.
  const isPossible = transaction.isPartialCapable && approvedAmount > 0 && approvedAmount <= step.amount;
  if (!isPossible) return declined('DECLINED', 'MALFORMED_ASA_RESPONSE', answer);
  return { result, detailedResult: result, approvedAmount, answer };
}

export function declined(result: string, detailedResult: string, answer: Answer | null): Decision {
  return { result, detailedResult, approvedAmount: null, answer };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

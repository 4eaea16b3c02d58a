import { calls } from 'virtual:contract';
import * as z from 'zod/mini';
import type { LightCall } from './light-call.ts';

// The content security policy forbids building code from text, which zod would otherwise try.
z.config({ jitless: true });

const outputs = new Map(calls.map((call) => [call.name, call.output]));

/**
 * What a call answered, as its contract says it; throws when it is anything else. With all schemas of the contract this is
 * a chunk of its own: the client fetches it beside the first request (docs/adr/0009).
 */
export function checkAnswer(call: LightCall, data: unknown): unknown {
  const output = outputs.get(call.name);
  if (output === undefined) throw new Error(`the contract knows no call ${call.name}`);
  return z.parse(output, data);
}

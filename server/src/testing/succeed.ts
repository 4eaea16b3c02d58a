import type { Call, Output } from '@causeway/contract/call.ts';
import type { Answer } from './envelope.ts';
import type { MainApp, Request } from './main-app.ts';

/** Asks and insists on success. */
export async function succeed<C extends Call>(world: MainApp, call: C, request: Request): Promise<Answer<Output<C>>> {
  const answer = await world.ask(call, request);
  if (answer.status !== 200) throw new Error(`${call.name} answered ${answer.status} ${answer.raw.body}`);
  return answer;
}

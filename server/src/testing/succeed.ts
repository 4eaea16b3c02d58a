import type { Call } from '@causeway/contract/call.ts';
import type { Answer, MainApp, Request } from './main-app.ts';

/** Asks and insists on success. */
export async function succeed(world: MainApp, call: Call, request: Request): Promise<Answer> {
  const answer = await world.ask(call, request);
  if (answer.status !== 200) throw new Error(`${call.name} answered ${answer.status} ${answer.raw.body}`);
  return answer;
}

import type { Call, Output } from '@causeway/contract/call.ts';
import { expect } from 'vitest';
import { newId } from '../platform/ids.ts';
import { eachDeath, type MortalDatabase } from './dying.ts';
import type { MainApp, Request } from './main-app.ts';

/** One request that moves money, and what its books look like. */
interface KilledRequest {
  request: Request;
  /** Holds that it is not begun, or wholly there; returns which. */
  look(): Promise<'none' | 'whole'>;
}

/**
 * Has the company's process die at each transaction of a request, and the client repeat it: at the death it is not begun or wholly there, and afterwards it
 * is there once.
 * @returns how often the process died
 */
export function killEachTransaction<C extends Call>(
  { world, mortal, call }: { world: MainApp; mortal: MortalDatabase; call: C },
  prepare: () => Promise<KilledRequest>,
): Promise<number> {
  return eachDeath(async (transactions, moment) => {
    const { request, look } = await prepare();
    const once = { ...request, headers: { 'idempotency-key': newId() } };
    expect(await look()).toBe('none');
    const life = mortal.doom(transactions, moment);
    const { status } = await world.ask(call, once);
    const { isOver } = life;
    mortal.revive();
    expect(status).toBe(isOver ? 500 : 200);
    if (isOver) expect(world.complaints.splice(0).join('')).toMatch(/Killed/);
    const atDeath = await look();
    if (!isOver) expect(atDeath).toBe('whole');
    const answers: Output<C>[] = [];
    // The client that had no answer, and one that lost the answer too.
    for (let time = 0; time < 2; time += 1) {
      answers.push((await world.ask(call, once)).data);
      expect(await look()).toBe('whole');
    }
    expect(answers[1]).toEqual(answers[0]);
    return isOver;
  });
}

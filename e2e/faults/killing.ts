import { setTimeout as delay } from 'node:timers/promises';
import type { Chance } from './chance.ts';
import type { Load } from './load.ts';
import { type Death, type Product, until, type Victim, victims } from './product.ts';

export interface Toll {
  victim: Victim;
  sinceStartMs: number;
  sinceKillMs: number;
}

const longestWaitMs = 600;
const patienceMs = 180_000;

/**
 * Kills every victim `each` times while the load goes on, in an order and at moments by chance; now and then two at once,
 * and now and then the next before the last is back. Returns how long each recovery took.
 */
export async function killAtRandom(
  product: Product,
  chance: Chance,
  { each, load, transfers }: { each: number; load: Load; transfers: number },
): Promise<Toll[]> {
  const order = shuffled(
    chance,
    victims.flatMap((victim) => Array.from({ length: each }, () => victim)),
  );
  const deaths: Death[] = [];
  while (deaths.length < order.length) {
    // Spread over the whole load, so that each death meets some of it.
    const due = Math.floor((deaths.length * transfers) / order.length);
    await until('the load goes on', async () => load.progress() >= due, patienceMs);
    await delay(chance.below(longestWaitMs));
    const atOnce = chance.next() < 0.25 ? 2 : 1;
    const named = [...new Set(order.slice(deaths.length, deaths.length + atOnce))];
    const killed = await Promise.all(named.map((victim) => killOnceUp(product, victim)));
    deaths.push(...killed);
    if (chance.next() < 0.7) await Promise.all(killed.map(({ recovered }) => recovered));
  }
  return Promise.all(deaths.map(async ({ victim, recovered }) => ({ victim, ...(await recovered) })));
}

async function killOnceUp(product: Product, victim: Victim): Promise<Death> {
  let death: Death | null = null;
  const isKilled = async (): Promise<boolean> => {
    death = await product.kill(victim);
    return death !== null;
  };
  await until(`there is a ${victim} to kill`, isKilled, patienceMs);
  if (death === null) throw new Error(`the ${victim} could not be killed`);
  return death;
}

function shuffled<T>(chance: Chance, items: readonly T[]): T[] {
  const left = [...items];
  const result: T[] = [];
  while (left.length > 0) result.push(...left.splice(chance.below(left.length), 1));
  return result;
}

/** One line for each victim. */
export function describeTolls(tolls: readonly Toll[]): string[] {
  return victims.map((victim) => {
    const own = tolls.filter((toll) => toll.victim === victim);
    const times = (read: (toll: Toll) => number): string => {
      const sorted = own.map(read).sort((a, b) => a - b);
      const seconds = (ms = 0): string => (ms / 1000).toFixed(1);
      return `median ${seconds(sorted[Math.floor(sorted.length / 2)])} s, longest ${seconds(sorted.at(-1))} s`;
    };
    return `${victim}: ${own.length} kills; answers again ${times((toll) => toll.sinceStartMs)} after its new start, ${times((toll) => toll.sinceKillMs)} after the kill`;
  });
}

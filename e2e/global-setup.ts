import { desk } from './fixtures/desk.ts';

/** Blocks follow each other ten times as fast as in the sandbox at rest: a journey waits for depth, not for the clock. */
export default async function globalSetup(): Promise<void> {
  await desk.mining({ auto: true, blockIntervalMs: 100 });
}

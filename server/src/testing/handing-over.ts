import type { OutgoingKinds } from '../features/outgoing/kind.ts';
import { sendPayment } from '../features/outgoing/service/hand-over.ts';
import type { TestDatabase } from './database.ts';

/**
 * Hands approved payments over as the worker does, over a rail that keeps what it was given and sends nothing. `judging` runs inside a
 * hand-over, after everything that could hold it up was looked at.
 */
export function handingOver(db: TestDatabase, judging: () => Promise<void> = async () => undefined) {
  const handed: string[] = [];
  const riskSubject = async () => {
    await judging();
    return null;
  };
  const kind = { type: 'chain_withdraw', riskSubject };
  const kinds = new Map([['chain_withdraw', kind]]) as unknown as OutgoingKinds;
  const rail = {
    carries: () => true,
    prepare: async (_tx: unknown, { id }: { id: string }) => ({
      isBegun: false,
      submit: async () => {
        handed.push(id);
      },
    }),
  };
  const deps = { database: db.worker, kinds, rails: [rail] };
  return { handed, handOver: (companyId: string, id: string) => sendPayment(deps, companyId, id) };
}

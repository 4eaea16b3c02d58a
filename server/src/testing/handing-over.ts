import type { OutgoingKinds } from '../features/outgoing/kind.ts';
import { sendPayment } from '../features/outgoing/service/hand-over.ts';
import type { TestDatabase } from './database.ts';

/** Hands approved payments over as the worker does, over a rail that keeps what it was given and sends nothing. */
export function handingOver(db: TestDatabase) {
  const handed: string[] = [];
  const kind = { type: 'chain_withdraw', riskSubject: async () => null };
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

import type { Tx } from '../../../platform/database/database.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { accountsByKind, move, openAccounts, postBatch } from '../../ledger/index.ts';
import { lockUnsettled, markHeld, type Suggestion, type Unmatched } from './store.ts';

export interface Held {
  unmatched: Unmatched;
  suggestions: readonly Suggestion[];
}

/**
 * Books money that is no company's, in the installation's own books (the nil company's): what came in is held and owed in suspense until
 * an operator finds whose it is; what the bank took is a charge. Of one account of the installation; each money once.
 */
export async function holdMoneys(
  tx: Tx,
  { collectionId, asset }: { collectionId: string; asset: string },
  held: ReadonlyMap<string, Held>,
): Promise<void> {
  const moneys = await lockUnsettled(tx, [...held.keys()]);
  const fresh = moneys.filter(({ state }) => state === 'new');
  if (fresh.length > 0) {
    await openAccounts(tx, collectionId, asset, ['suspense', 'charges', 'collecting']);
    const { suspense, charges, collecting } = await accountsByKind(tx, collectionId, [
      'suspense',
      'charges',
      'collecting',
    ]);
    const outcomes = await postBatch(
      tx,
      fresh.map(({ id, amountMinor }) => ({
        id: newId(),
        kind: 'bank.held',
        sourceId: id,
        description: 'money of a bank that is no company’s',
        legs: move(collecting.id, amountMinor > 0n ? suspense.id : charges.id, amountMinor),
      })),
    );
    invariant(
      outcomes.every((outcome) => outcome === 'posted'),
      'what a bank brings is posted',
    );
  }
  for (const money of moneys) {
    const why = held.get(money.id);
    if (why) await markHeld(tx, money, why);
  }
}

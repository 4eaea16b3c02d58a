import type { CompaniesTx } from '../../../platform/database/database.ts';
import { newId } from '../../../platform/ids.ts';
import { move, postAll } from '../../ledger/index.ts';
import { requireOwed } from '../store/deficits.ts';
import type { Sides } from '../store/sides.ts';

/** An exchange that was executed at once. */
interface Executed {
  context: { session: { companyId: string } };
  meaning: { sides: Sides };
  quote: { boughtMinor: bigint };
  boughtId: string;
}

/**
 * What was bought makes good what is missing of its wallet, as what is deposited does. Leaves it for the commit, behind the exchanges' postings,
 * each after those before it; where another transaction has made it good meanwhile, this transaction is run again.
 */
export function repayDeficits(tx: CompaniesTx, executed: readonly Executed[]): void {
  /** What is still missing, by the account. */
  const owed = new Map<string, bigint>();
  const postings = executed.flatMap(({ context: { session }, meaning: { sides }, quote, boughtId }) => {
    const { accounts, deficitMinor } = sides.buy;
    const missing = owed.get(accounts.deficit) ?? -deficitMinor;
    const amountMinor = missing < quote.boughtMinor ? missing : quote.boughtMinor;
    if (amountMinor <= 0n) return [];
    owed.set(accounts.deficit, missing - amountMinor);
    return [
      {
        companyId: session.companyId,
        id: newId(),
        kind: 'deficit.repaid',
        sourceId: boughtId,
        description: 'shortfall made good',
        legs: move(accounts.available, accounts.deficit, amountMinor),
        account: accounts.deficit,
      },
    ];
  });
  if (postings.length === 0) return;
  tx.leave([
    postAll(
      tx,
      postings.map(({ account: _, ...posting }) => posting),
    ),
    requireOwed(
      tx,
      postings.map(({ companyId, account }) => ({ companyId, accountId: account })),
    ),
  ]);
}

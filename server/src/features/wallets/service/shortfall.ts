import { sql } from 'kysely';
import { audit } from '../../../platform/audit/record.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { accountsByKind, type Leg, move, type Posting, post } from '../../ledger/index.ts';
import { freezeWallet } from '../store/movements.ts';

/**
 * Money that has to be taken from `available` although it may have been spent: what is missing goes to the deficit
 * account, the one that may be negative, and the wallet is frozen (decisions, "Wallets and deposits").
 */

const maxTries = 10;

class OvertakenError extends Error {}

/**
 * Posts what `build` makes of the available balance; when another posting was quicker, the balance is read again. `isRight` looks at
 * the accounts once the posting has locked them.
 */
async function postOnAvailable(
  tx: Tx,
  walletId: string,
  build: (accounts: Record<'available' | 'deficit', { id: string; balanceMinor: bigint }>) => Posting | null,
  isRight: () => Promise<boolean> = async () => true,
): Promise<void> {
  for (let left = maxTries; ; left--) {
    const posting = build(await accountsByKind(tx, walletId, ['available', 'deficit']));
    if (!posting) return;
    await sql`savepoint on_available`.execute(tx);
    try {
      await post(tx, posting);
      if (!(await isRight())) throw new OvertakenError();
      await sql`release savepoint on_available`.execute(tx);
      return;
    } catch (error) {
      const isOvertaken =
        error instanceof OvertakenError || (error instanceof DomainError && error.key === 'insufficientBalance');
      if (left === 0 || !isOvertaken) throw error;
      await sql`rollback to savepoint on_available`.execute(tx);
    }
  }
}

/**
 * Takes an amount back from the wallet, from available as far as it goes, and freezes the wallet if that is not far
 * enough. `others` are the posting's other legs, `reason` is what the operator reads; null: the wallet is not frozen.
 * @returns what was missing, minor units
 */
export async function takeFromWallet(
  tx: Tx,
  walletId: string,
  amountMinor: bigint,
  posting: Omit<Posting, 'id' | 'legs'>,
  others: readonly Leg[],
  reason: string | null = 'deposit reversed',
): Promise<bigint> {
  let missingMinor = 0n;
  await postOnAvailable(tx, walletId, ({ available, deficit }) => {
    const taken = available.balanceMinor < amountMinor ? available.balanceMinor : amountMinor;
    missingMinor = amountMinor - taken;
    const legs = [
      { accountId: available.id, amountMinor: -taken },
      { accountId: deficit.id, amountMinor: -missingMinor },
      ...others,
    ];
    return { ...posting, id: newId(), legs };
  });
  if (missingMinor === 0n || reason === null) return missingMinor;
  await freezeWallet(tx, walletId, reason);
  await audit(tx, {
    actor: { kind: 'system', id: 'transfers' },
    action: 'wallets.freeze',
    subjectKind: 'wallet',
    subjectId: walletId,
    detail: { reason, missingMinor: missingMinor.toString(), sourceId: posting.sourceId },
  });
  return missingMinor;
}

/** What came in first makes good what is missing. `sourceId` is the transaction that brought it. */
export async function repayDeficit(tx: Tx, walletId: string, sourceId: string): Promise<void> {
  const build: Parameters<typeof postOnAvailable>[2] = ({ available, deficit }) => {
    const owed = -deficit.balanceMinor;
    if (owed <= 0n || available.balanceMinor === 0n) return null;
    let amountMinor = owed;
    if (available.balanceMinor < owed) amountMinor = available.balanceMinor;
    return {
      id: newId(),
      kind: 'deficit.repaid',
      sourceId,
      description: 'shortfall made good',
      legs: move(available.id, deficit.id, amountMinor),
    };
  };
  // Meanwhile the operator may have written it off: nothing is taken for what is no longer owed.
  const isOwed = async () => (await accountsByKind(tx, walletId, ['deficit'])).deficit.balanceMinor <= 0n;
  await postOnAvailable(tx, walletId, build, isOwed);
}

/**
 * Writes a wallet's deficit off: the operator bears it out of its own fees, which are still at the address. What arrives no longer makes it
 * good. The wallet stays as it is, frozen or not.
 * @returns false when the deficit is not, or no longer, this amount; the transaction must then be rolled back
 * @throws DomainError insufficientBalance where the fees are less
 */
export async function writeOffDeficit(tx: Tx, walletId: string, owedMinor: bigint, sourceId: string): Promise<boolean> {
  const { fee, deficit } = await accountsByKind(tx, walletId, ['fee', 'deficit']);
  await post(tx, {
    id: newId(),
    kind: 'deficit.writtenOff',
    sourceId,
    description: 'shortfall borne by the operator',
    legs: move(fee.id, deficit.id, owedMinor),
  });
  // The posting has locked the account: what arrived before it has made good a part, and the operators agreed on the whole.
  return (await accountsByKind(tx, walletId, ['deficit'])).deficit.balanceMinor === 0n;
}

import { audit } from '../../../platform/audit/record.ts';
import type { Database, Tx } from '../../../platform/database/database.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { lockTaskOf, withdrawTask } from '../../approvals/index.ts';
import {
  asEvm,
  findChain,
  gasTankOwner,
  highestAttempt,
  insertSend,
  isPlatformOwner,
  keepFound,
  latestSends,
  ownersOf,
  treasuryOwner,
} from '../../chains/index.ts';
import { accountsByKind, findPosting, move, post } from '../../ledger/index.ts';
import { subjectKindOf, takeBack } from '../../outgoing/index.ts';
import { changeStage, findType, type LifecycleRow, lockTransaction } from '../../transactions/index.ts';
import { openWalletOf } from '../../wallets/index.ts';
import type { SendingDependencies } from '../family.ts';
import { bookFinal, explainEach, isFinal, type Obstacle } from '../service/booking.ts';
import { seeMined } from '../service/settling.ts';
import { lockUnexplained, markExplained, setObstacle, type UnexplainedPayment } from '../store/unexplained.ts';

/**
 * Carries out what the operator decided of unexplained payments: `match` makes one the payment of a transfer, which is then
 * settled by the ordinary road; `book` corrects the books. Those of gas tank and treasury need no decision: their money is the platform's,
 * and what reached a company is booked as an advance, or as coins of the platform's at the company's address.
 */

const reason = 'stage.reason.foundOnChain';
const matchable = ['waiting_approval', 'approved', 'signing', 'broadcast', 'confirming'] as const;

export async function carryOutDecisions(deps: SendingDependencies, chainId: string): Promise<void> {
  const { database } = deps;
  await explainEach(deps, chainId, async (row) => {
    const isPlatforms = isPlatformOwner(row.companyId);
    if (!isPlatforms && row.decision === 'match') return database.withCompany(row.companyId, (tx) => match(tx, row));
    if (!isPlatforms) return bookFinal(deps, row);
    if (await isFinal(deps, row)) return bookPlatforms(deps, row);
    return database.withCompany(row.companyId, (tx) => setObstacle(tx, row.id, 'notFinal' satisfies Obstacle));
  });
}

async function match(tx: Tx, seen: UnexplainedPayment): Promise<void> {
  const { id, transferId } = seen;
  invariant(transferId !== null, 'a match names its transfer');
  // Locks in the one order (docs/adr/0025): the task, the transaction, the rest.
  const type = await findType(tx, transferId);
  if (type === null) return setObstacle(tx, id, 'differs' satisfies Obstacle);
  await lockTaskOf(tx, subjectKindOf(type), transferId);
  const transfer = await lockTransaction(tx, transferId);
  const row = await lockUnexplained(tx, id);
  if (row?.state !== 'open' || row.decision !== 'match') return;
  if (!transfer || !isPaymentOf(row, transfer)) return setObstacle(tx, id, 'differs' satisfies Obstacle);
  const { nonce, raw, gasLimit, maxFeePerGas, maxPriorityFeePerGas } = row;
  if (nonce === null || raw === null || gasLimit === null || maxFeePerGas === null || maxPriorityFeePerGas === null) {
    return setObstacle(tx, id, 'differs' satisfies Obstacle);
  }
  const [newest] = await latestSends(tx, transferId, 'transfer');
  const latest = newest && asEvm(newest);
  const isSameNonce = latest?.nonce === nonce;
  // Its other transaction may still be mined: then it would be paid twice, and must be seen as what it is.
  if (latest && !isSameNonce && latest.supersededAt === null) {
    return setObstacle(tx, id, 'underWay' satisfies Obstacle);
  }
  if (transfer.stage === 'waiting_approval')
    await withdrawTask(tx, subjectKindOf(type), transferId, { end: 'stopped', reason });
  await changeStage(tx, transferId, ['waiting_approval', 'approved'], { stage: 'signing', reason });
  const found = { ...row, isEmpty: false, nonce, raw, gasLimit, maxFeePerGas, maxPriorityFeePerGas };
  const send =
    latest && isSameNonce
      ? await keepFound(tx, latest, found)
      : await keepFound(
          tx,
          asEvm(
            await insertSend(tx, {
              ...found,
              paymentId: transferId,
              attempt: (await highestAttempt(tx, row.chainId, row.fromAddress, nonce, transferId)) + 1,
              kind: 'transfer',
              transferId,
            }),
          ),
          found,
        );
  await markExplained(tx, id, 'matched', transferId);
  await seeMined(tx, send, { height: row.blockNumber, hash: row.blockHash });
}

/** Whether the transaction paid, or was to pay, just what the transfer says. */
function isPaymentOf(row: UnexplainedPayment, transfer: LifecycleRow): boolean {
  return (
    transfer.chainId !== null &&
    transfer.status === 'pending' &&
    (matchable as readonly string[]).includes(transfer.stage) &&
    transfer.chainId === row.chainId &&
    transfer.coin === row.coin &&
    transfer.quantityMinor === row.amountMinor &&
    transfer.payeeAccount?.toLowerCase() === row.toAddress?.toLowerCase()
  );
}

/** Closes a transaction of the platform's own; what reached a company's address is an advance of network fees, or not the company's (`fx`). */
async function bookPlatforms(deps: SendingDependencies, row: UnexplainedPayment): Promise<void> {
  const { database, log } = deps;
  const { chainId, toAddress, coin, amountMinor } = row;
  const { chain, owner } = await database.withoutCompany(async (tx) => ({
    chain: await findChain(tx, chainId),
    owner: toAddress === null ? undefined : (await ownersOf(tx, chainId, [toAddress]))[0],
  }));
  const isPaid = row.succeeded && amountMinor > 0n && coin !== null;
  if (chain && isPaid && owner && !isPlatformOwner(owner.companyId)) {
    const isAdvance = row.companyId === gasTankOwner && coin === chain.nativeCoin;
    if (isAdvance) await database.withCompany(owner.companyId, (tx) => postFound(tx, row, coin, 'gas'));
    else if (row.companyId === treasuryOwner) {
      await database.withCompany(owner.companyId, (tx) => postFound(tx, row, coin, 'fx'));
    }
  }
  await database.withCompany(row.companyId, async (tx) => {
    const open = await lockUnexplained(tx, row.id);
    if (open?.state !== 'open') return;
    await markExplained(tx, row.id, 'booked', null);
    await audit(tx, {
      actor: { kind: 'system', id: 'transfers' },
      action: 'transfers.closeTankPayment',
      subjectKind: 'payment',
      subjectId: row.id,
      detail: { hash: row.hash, nonce: row.nonce, to: toAddress, coin, amount: amountMinor.toString() },
    });
  });
  log.warn(
    { chain: chainId, hash: row.hash, nonce: row.nonce },
    'a transaction of the gas tank or the treasury was made outside; closed',
  );
}

const foundPostings = {
  gas: { kind: 'gas.advanced', description: 'network fee advanced by the gas tank, found on the chain' },
  fx: { kind: 'fx.found', description: 'coins of the treasury, found on the chain' },
} as const;

async function postFound(tx: Tx, row: UnexplainedPayment, coin: string, as: 'gas' | 'fx'): Promise<void> {
  const { kind, description } = foundPostings[as];
  if ((await findPosting(tx, row.id, kind)) !== null) return;
  const accounts = await accountsByKind(tx, await openWalletOf(tx, row.chainId, coin), ['chain', as]);
  await post(tx, {
    id: newId(),
    kind,
    sourceId: row.id,
    description,
    legs: move(accounts.chain.id, accounts[as].id, row.amountMinor),
  });
}

/** Takes back what a vanished transaction of the platform's own had brought; what is spent of an advance is a shortfall. */
export async function undoFound(database: Database, row: UnexplainedPayment): Promise<void> {
  const { id, chainId, toAddress, coin, state } = row;
  if (state !== 'booked' || toAddress === null || coin === null) return;
  const [owner] = await database.withoutCompany((tx) => ownersOf(tx, chainId, [toAddress]));
  if (!owner || isPlatformOwner(owner.companyId)) return;
  await database.withCompany(owner.companyId, async (tx) => {
    if (row.companyId === treasuryOwner) return takeBack(tx, id, foundPostings.fx.kind);
    const postingId = await findPosting(tx, id, 'gas.advanced');
    if (postingId === null || (await findPosting(tx, id, 'gas.advanced.undone')) !== null) return;
    const walletId = await openWalletOf(tx, chainId, coin);
    const { chain, gas, deficit } = await accountsByKind(tx, walletId, ['chain', 'gas', 'deficit']);
    let left = row.amountMinor;
    if (gas.balanceMinor < left) left = gas.balanceMinor;
    await post(tx, {
      id: newId(),
      kind: 'gas.advanced.undone',
      sourceId: id,
      description: 'taken back after a reorganisation',
      correctsId: postingId,
      legs: [
        { accountId: gas.id, amountMinor: -left },
        { accountId: deficit.id, amountMinor: left - row.amountMinor },
        { accountId: chain.id, amountMinor: row.amountMinor },
      ],
    });
  });
}

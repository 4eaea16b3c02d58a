import { audit } from '../../../platform/audit/record.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { announce } from '../../../platform/database/outbox.ts';
import { DomainError, invariant } from '../../../platform/domain-error.ts';
import { actorOf } from '../../../platform/session.ts';
import { translate } from '../../../platform/text/texts.ts';
import type { ApprovalSubject, TaskSnapshot } from '../../approvals/index.ts';
import { readConfirmation, walletOfConfirmation } from '../store/confirmations.ts';
import { addLine, findTradeOf, lockTrade, readTrade, setState, type TradeRow } from '../store/trades.ts';
import { informConfirmed, type TradeTask } from './confirm.ts';
import { digestOf } from './content.ts';
import { giveBack, moved } from './money.ts';

/** As `openTasks` was given it. */
function contentOf({ content }: Pick<TaskSnapshot, 'content'>): TradeTask {
  return content as unknown as TradeTask;
}

/** What the confirmation of a trade is to its approvers (docs/adr/0101-…). */
export const tradeSubject: ApprovalSubject = {
  kind: 'trade',
  shape: 'payment',
  adoptable: true,
  changesControls: false,
  auditKind: 'trade',
  notices: 'tradeApproval',
  locks: ['freezes'],
  initiation: 'transfer.create',
  name: (task, locale) => translate(locale, 'trades.task', { number: contentOf(task).number }),
  noticeValues(task) {
    const { number, payeeName } = contentOf(task);
    return { number, payee: payeeName };
  },
  brief(task, locale) {
    const { payeeName: name, payeeWallet: account, chainName, billOfLading } = contentOf(task);
    const say = (label: string, value: string) => ({ label: translate(locale, `trades.task.${label}`), value });
    return {
      party: { name, account },
      facts: [say('chain', chainName), ...(billOfLading === null ? [] : [say('billOfLading', billOfLading)])],
    };
  },
  async content(_tx, task) {
    const nothing = { fee: null, notes: '', category: null, test: null, restOf: null, evidence: null, payout: null };
    return { shape: 'payment', ...nothing, bought: null, attachments: [], invoiceNumber: contentOf(task).number };
  },
  link: (task, locale) => ({
    path: `/app/wallet/tradego/${contentOf(task).tradeId}`,
    text: translate(locale, 'trades.task.open'),
  }),
  auditDetail: (task) => ({ name: contentOf(task).number }),
  async digest(tx, id) {
    const confirmation = await readConfirmation(tx, id);
    const trade = confirmation && (await readTrade(tx, confirmation.tradeId));
    return trade && digestOf(tx, trade, id, confirmation.walletId);
  },
  // Nothing leaves by it; each payment to the seller is judged as it is submitted.
  recheck: async () => null,
  async approved(tx, id) {
    const trade = await lockWaiting(tx, id);
    invariant(trade, 'a trade whose task is pending waits for it');
    await setState(tx, trade.id, { state: 'frozen', frozenMinor: trade.frozenMinor });
    await addLine(tx, trade.id, { step: 'frozen', amountMinor: trade.frozenMinor });
    await informConfirmed(tx, trade, id);
    await announce(tx, moved(trade.id));
  },
  async ended(tx, id, { by, reason }) {
    const trade = await lockWaiting(tx, id);
    invariant(trade, 'a trade whose task is pending waits for it');
    await reopen(tx, trade, id, { step: 'refused', ...(by ? { by: by.name } : {}), note: reason });
  },
  async withdrawn(tx, context, { subjectId }) {
    const trade = await lockWaiting(tx, subjectId);
    if (!trade) throw new DomainError('tradeNotConfirmable');
    await reopen(tx, trade, subjectId, { step: 'withdrawn', by: context.session.userName });
    await audit(tx, {
      actor: actorOf(context),
      action: 'trades.withdraw',
      subjectKind: 'trade',
      subjectId: trade.id,
      detail: { name: trade.number },
    });
    return 'stage.reason.cancelled';
  },
};

/** The trade of a confirmation that waits for its approval; locked. */
async function lockWaiting(tx: Tx, confirmationId: string): Promise<TradeRow | null> {
  const tradeId = await findTradeOf(tx, confirmationId);
  const trade = tradeId === null ? null : await lockTrade(tx, tradeId);
  return trade?.state === 'waiting_approval' && trade.confirmationId === confirmationId ? trade : null;
}

/** What was frozen comes back, and the trade can be confirmed again. */
async function reopen(
  tx: Tx,
  trade: TradeRow,
  confirmationId: string,
  line: { step: 'refused' | 'withdrawn'; by?: string; note?: string },
): Promise<void> {
  const walletId = await walletOfConfirmation(tx, confirmationId);
  await setState(tx, trade.id, { state: 'open', frozenMinor: 0n });
  await giveBack(tx, trade, walletId, { ...line, amountMinor: trade.frozenMinor });
  await announce(tx, moved(trade.id));
}

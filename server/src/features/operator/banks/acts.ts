import { sayAmount } from '@causeway/contract/money.ts';
import { audit } from '../../../platform/audit/record.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { keepContent } from '../../banks/index.ts';
import { collectFees, creditHeld, returnHeld, settleCards, takeBackCards } from '../../rails/index.ts';
import type { ActHandlers } from '../acts/jobs.ts';
import { cardsFacts, settlementOf, takeBackFacts } from './card-kind.ts';
import { creditFacts, creditInput, feesFacts, returnInput } from './kinds.ts';
import { findUpload, readUploadContent } from './uploads-store.ts';

/**
 * How the worker credits money in suspense that two operators agreed on: by the posting of every deposit, under the money's lock. Where the
 * bank or a notice was quicker, it is settled otherwise, and the act is refused for good.
 */
export const bankActs = {
  'bankMoney.credit': {
    async perform(tx, { subjectId, before, input, reason, confirmedBy }) {
      const { amountMinor, decimals, asset } = creditFacts.parse(before);
      const { walletId } = creditInput.parse(input);
      const outcome = await creditHeld(tx, subjectId, { walletId, amountMinor: BigInt(amountMinor) });
      if (outcome.is !== 'credited')
        throw new DomainError(outcome.is === 'noWallet' ? 'bankWalletMissing' : 'bankMoneySettled');
      await audit(tx, {
        actor: { kind: 'operator', id: confirmedBy },
        action: 'operator.creditBankMoney',
        subjectKind: 'transaction',
        subjectId: outcome.transactionId,
        detail: { amount: `${sayAmount(BigInt(amountMinor), decimals)} ${asset}`, reason },
      });
      return { transactionId: outcome.transactionId };
    },
  },
  'bankMoney.return': {
    async perform(tx, { subjectId, subjectName, input, reason, confirmedBy }) {
      const { takenId, bookedOn, reference } = returnInput.parse(input);
      if (!(await returnHeld(tx, subjectId, takenId))) throw new DomainError('bankMoneySettled');
      await audit(tx, {
        actor: { kind: 'operator', id: confirmedBy },
        action: 'operator.returnBankMoney',
        subjectKind: 'installation',
        subjectId: 'installation',
        detail: { amount: subjectName, bookedOn, reference, reason },
      });
      return { takenId };
    },
  },
  // Across companies in one transaction, each by a posting of its own: all of the debit is set off, or nothing.
  'bankMoney.fees': {
    async perform(tx, { subjectId, subjectName, before, reason, confirmedBy }) {
      const { bankName } = feesFacts.parse(before);
      const outcome = await collectFees(tx, subjectId);
      // Deposits that the bank took back meanwhile took their fees with them.
      if (outcome === 'short') throw new DomainError('bankFeesChanged');
      if (outcome === 'settled') throw new DomainError('bankDebitOther');
      await audit(tx, {
        actor: { kind: 'operator', id: confirmedBy },
        action: 'operator.collectBankFees',
        subjectKind: 'installation',
        subjectId: 'installation',
        detail: { amount: subjectName, bank: bankName, reason },
      });
      return { outcome };
    },
  },
  // As with fees: a posting of its own for each company, in one transaction.
  'bankMoney.cards': {
    async perform(tx, { subjectId, subjectName, before, reason, confirmedBy }) {
      const { bankName } = cardsFacts.parse(before);
      const outcome = await settleCards(tx, subjectId);
      // Refunds and clearings that came meanwhile change what is owed.
      if (outcome === 'short') throw new DomainError('cardSettlementChanged');
      if (outcome === 'settled') throw new DomainError('cardSettlementOther');
      await audit(tx, {
        actor: { kind: 'operator', id: confirmedBy },
        action: 'operator.settleCards',
        subjectKind: 'installation',
        subjectId: 'installation',
        detail: { amount: subjectName, bank: bankName, reason },
      });
      return { outcome };
    },
  },
  'bankMoney.cardsBack': {
    async perform(tx, { subjectId, subjectName, before, input, reason, confirmedBy }) {
      const { bankName } = takeBackFacts.parse(before);
      const settlementId = settlementOf(input);
      // The bank's own word may have taken it back meanwhile, by another booking.
      if (!(await takeBackCards(tx, subjectId, settlementId, 'operator'))) throw new DomainError('cardTakeBackDiffers');
      await audit(tx, {
        actor: { kind: 'operator', id: confirmedBy },
        action: 'operator.takeBackCards',
        subjectKind: 'installation',
        subjectId: 'installation',
        detail: { amount: subjectName, bank: bankName, reason },
      });
      return { settlementId };
    },
  },
  // Read and posted by the worker from here on, as what came from the bank; the same content twice is one message.
  'bankFile.take': {
    async perform(tx, { subjectId, reason, confirmedBy }) {
      const [row, content] = [await findUpload(tx, subjectId), await readUploadContent(tx, subjectId)];
      if (!row || !content) throw new DomainError('notFound');
      const { bank, name, fileName, sha256 } = row;
      const known = await keepContent(tx, { bank, name: fileName, source: 'hand', content });
      if (known !== null) throw new DomainError('bankFileKnown', { name: known.name });
      await audit(tx, {
        actor: { kind: 'operator', id: confirmedBy },
        action: 'operator.takeBankFile',
        subjectKind: 'installation',
        subjectId: 'installation',
        detail: { bank: name, fileName, sha256, reason },
      });
      return { sha256 };
    },
  },
} satisfies ActHandlers;

import { formatAmount } from '@causeway/contract/money.ts';
import type { ProposalKind } from '@causeway/contract/operator-rules.ts';
import { treasuryAddressInput } from '@causeway/contract/operator-treasury.ts';
import * as z from 'zod/mini';
import { audit } from '../../../platform/audit/record.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { actorOf } from '../../../platform/session.ts';
import { translate } from '../../../platform/text/texts.ts';
import { tankThresholdOf } from '../../chains/index.ts';
import { nilCompany } from '../../identity/index.ts';
import type { AuthorisationClaims } from '../../outgoing/index.ts';
import { feeDigest } from '../../transfers/index.ts';
import type { StaffContext } from '../console/dependencies.ts';
import { type Kind, line } from '../console/kind.ts';
import type { ProposalRow } from '../console/store/proposals.ts';
import { findAddress, insertAddress, isInBook } from './addresses-store.ts';
import { freeMinor } from './domain.ts';
import { findFeeSources, insertFeePayment } from './fees-store.ts';
import { setThreshold } from './thresholds-store.ts';

/** Proposals of the treasury. */

const addressInput = z.strictObject({
  ...treasuryAddressInput.shape,
  addressKey: z.string(),
  chainName: z.string(),
});

const addAddress: Kind = {
  subjectKind: 'treasuryAddress',
  async before(tx, _subjectId, input) {
    const { chainId, addressKey } = addressInput.parse(input);
    return { isKnown: await isInBook(tx, chainId, addressKey) };
  },
  titleOf: (_locale, input) => ({ chain: addressInput.parse(input).chainName }),
  changes(locale, input) {
    const { chainName, address, label } = addressInput.parse(input);
    return [
      line(locale, 'chain', null, chainName),
      line(locale, 'address', null, address),
      line(locale, 'name', null, label),
    ];
  },
  async apply(tx, context, { subjectId: id, input, proposedBy }) {
    const { chainId, address, addressKey, label } = addressInput.parse(input);
    await insertAddress(tx, { id, chainId, address, addressKey, label, addedBy: proposedBy });
    await audit(tx, {
      actor: actorOf(context),
      action: 'treasury.addAddress',
      subjectKind: 'treasuryAddress',
      subjectId: id,
      detail: { chain: chainId, address, name: label },
    });
  },
};

/** What of one wallet is collected; the id is the payment's. Amounts in minor units, as decimal digits. */
const part = z.strictObject({
  id: z.string(),
  companyId: z.string(),
  companyName: z.string(),
  walletId: z.string(),
  amount: z.string(),
});

export const feesInput = z.strictObject({
  chainId: z.string(),
  chainName: z.string(),
  coin: z.string(),
  decimals: z.number(),
  addressId: z.string(),
  address: z.string(),
  name: z.string(),
  parts: z.array(part),
});
export type FeesInput = z.output<typeof feesInput>;

function totalOf({ parts }: FeesInput): bigint {
  return parts.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
}

const withdraw: Kind = {
  subjectKind: 'fees',
  /** The address is in the book, and each wallet still has what is to be collected. */
  async before(tx, _subjectId, input, { lock }) {
    const { chainId, coin, addressId, parts } = feesInput.parse(input);
    const address = await findAddress(tx, addressId, { lock });
    const walletIds = parts.map(({ walletId }) => walletId);
    const sources = new Map((await findFeeSources(tx, chainId, coin, walletIds)).map((row) => [row.walletId, row]));
    const isCovered = parts.every(({ walletId, amount }) => {
      const source = sources.get(walletId);
      return source !== undefined && freeMinor(source) >= BigInt(amount);
    });
    return { address: address?.removedAt === null ? address.address : null, isCovered };
  },
  titleOf(_locale, input) {
    const fees = feesInput.parse(input);
    return { quantity: formatAmount(totalOf(fees), fees.decimals), coin: fees.coin, chain: fees.chainName };
  },
  changes(locale, input) {
    const fees = feesInput.parse(input);
    const say = (minor: bigint) => `${formatAmount(minor, fees.decimals)} ${fees.coin}`;
    return [
      line(locale, 'total', null, say(totalOf(fees))),
      line(locale, 'to', null, `${fees.name} ${fees.address}`),
      line(locale, 'payments', null, String(fees.parts.length)),
      ...fees.parts.map(({ companyName, companyId, amount }) => ({
        label: companyName === '' ? companyId : companyName,
        before: null,
        after: say(BigInt(amount)),
      })),
    ];
  },
  company: () => nilCompany,
  leave: sealPayments,
};

/** Writes each payment under a seal of this process: the signer believes nothing else of it. */
async function sealPayments(tx: Tx, context: StaffContext, proposal: ProposalRow): Promise<void> {
  const { chainId, coin, addressId, address, parts } = feesInput.parse(proposal.input);
  for (const { id, companyId, walletId, amount } of parts) {
    const payment = { id, companyId, walletId, chainId, coin, amountMinor: BigInt(amount) };
    const digest = feeDigest({
      ...payment,
      payeeId: addressId,
      payeeAccount: address,
      notes: '',
      attachmentIds: [],
      terms: null,
    });
    const claims: AuthorisationClaims & { confirmedBy: string } = {
      version: 2,
      companyId,
      transferId: id,
      digest,
      initiatorId: proposal.proposedBy,
      proof: { method: 'operators', id: proposal.id },
      review: 'off',
      issuedAt: context.clock.now().toISOString(),
      confirmedBy: context.session.userId,
    };
    const jws = context.seal('causeway-fees', claims);
    await insertFeePayment(tx, { ...payment, proposalId: proposal.id, addressId, address, jws });
  }
}

const threshold = z.object({ warnDays: z.number(), warnPayments: z.number(), stopPayments: z.number() });
const thresholdInput = z.strictObject({ ...threshold.shape, chainName: z.string() });

const changeThreshold: Kind = {
  subjectKind: 'gasTank',
  async before(tx, chainId) {
    return { ...(await tankThresholdOf(tx, chainId)) };
  },
  titleOf: (_locale, input) => ({ chain: thresholdInput.parse(input).chainName }),
  changes(locale, input, before) {
    const [now, then] = [threshold.parse(before), thresholdInput.parse(input)];
    const days = (count: number) => translate(locale, 'operator.value.tank.days', { count });
    const payments = (count: number) => translate(locale, 'operator.value.tank.payments', { count });
    const stop = (count: number) => (count === 0 ? translate(locale, 'operator.value.tank.never') : payments(count));
    return [
      line(locale, 'tank.warnDays', days(now.warnDays), days(then.warnDays)),
      line(locale, 'tank.warnPayments', payments(now.warnPayments), payments(then.warnPayments)),
      line(locale, 'tank.stopPayments', stop(now.stopPayments), stop(then.stopPayments)),
    ];
  },
  async apply(tx, context, { id, subjectId: chainId, input }) {
    const { chainName: chain, ...wanted } = thresholdInput.parse(input);
    await setThreshold(tx, chainId, wanted, id);
    await audit(tx, {
      actor: actorOf(context),
      action: 'treasury.setTankThreshold',
      subjectKind: 'gasTank',
      subjectId: chainId,
      detail: { chain, ...wanted },
    });
  },
};

export const treasuryKinds = {
  'treasury.addAddress': addAddress,
  'fees.withdraw': withdraw,
  'tank.threshold': changeThreshold,
} satisfies Partial<Record<ProposalKind, Kind>>;

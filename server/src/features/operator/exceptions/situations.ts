import { formatAmount } from '@causeway/contract/money.ts';
import type { ExceptionAct, ExceptionReason, ExceptionSubject } from '@causeway/contract/operator-exceptions-rules.ts';
import type { PlatformTx } from '../../../platform/database/database.ts';
import { outpointKey } from '../../chains/index.ts';
import { nilCompany } from '../../identity/index.ts';
import { findUnexplained } from '../payments-store.ts';
import {
  type PaymentAct,
  readAddressId,
  whyNotDeficit,
  whyNotHold,
  whyNotPayment,
  whyNotUnexplained,
} from './domain.ts';
import { findCandidates, findDeficit, findHold, findPayment, type PaymentRow } from './store.ts';

/** A subject as it is now: what it is called, what an act about it rests on, and which acts are possible. */
export interface Situation {
  companyId: string;
  name: string;
  /** What a proposal about it rests on: where this changes before it is confirmed, the proposal is stale. */
  facts: Record<string, unknown>;
  whyNot(act: ExceptionAct): ExceptionReason | null;
}

const readers: Record<ExceptionSubject, (tx: PlatformTx, id: string) => Promise<Situation | null>> = {
  transaction: readPayment,
  payment: readUnexplained,
  address: readHold,
  wallet: readDeficit,
};

/** Null when there is no such subject. */
export function readSituation(tx: PlatformTx, subject: ExceptionSubject, id: string): Promise<Situation | null> {
  return readers[subject](tx, id);
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

async function readPayment(tx: PlatformTx, id: string): Promise<Situation | null> {
  const row = uuid.test(id) ? await findPayment(tx, id) : null;
  if (!row) return null;
  const { companyId, coin, decimals, stage, hash, nonce, attempt } = row;
  return {
    companyId,
    name: nameOf(inShort(row.quantityMinor, decimals), coin, row.company),
    facts: {
      stage,
      attempt: attempt?.number ?? null,
      isSigned: attempt?.isSigned ?? false,
      isOffered: attempt?.isOffered ?? false,
      isSuperseded: attempt?.isSuperseded ?? false,
      hash,
      nonce,
      fromAddress: row.fromAddress,
      nativeCoin: row.nativeCoin,
      payee: row.payee,
      amount: inShort(row.quantityMinor, decimals),
      isEmptied: attempt?.isEmptied ?? false,
      maxFeePerGas: row.maxFeePerGas?.toString() ?? null,
      onHold: inShort(row.quantityMinor + row.feeMinor, decimals),
      coin,
      ...bitcoinFacts(row),
    },
    whyNot: (act) => whyNotPayment(act as PaymentAct, row),
  };
}

/** On a chain without them, nothing is added to what open proposals rest on. */
function bitcoinFacts({ id, inputs, networkFee, payments }: PaymentRow): Record<string, unknown> {
  if (inputs === null || networkFee === null) return {};
  const { feeMinor, vsize } = networkFee;
  return {
    inputs: inputs.map(outpointKey),
    feeMinor,
    vsize,
    ...(payments !== null && { payments: payments.filter((other) => other !== id) }),
  };
}

async function readUnexplained(tx: PlatformTx, id: string): Promise<Situation | null> {
  const [row] = uuid.test(id) ? await findUnexplained(tx, id) : [];
  if (!row) return null;
  const candidates = await findCandidates(tx, id);
  const { companyId, coin, decimals, state, decision, hash, chainId } = row;
  const amount = decimals === null ? null : inShort(row.amountMinor, decimals);
  const situation = {
    isOpen: state === 'open',
    isDecided: decision !== null,
    isTank: companyId === nilCompany,
    isSignable: row.isSignable,
    candidates: candidates.length,
  };
  return {
    companyId,
    name: nameOf(amount ?? '', coin ?? chainId, row.company ?? ''),
    facts: { state, decision, hash, chain: chainId, to: row.toAddress, amount, coin, succeeded: row.succeeded },
    whyNot: (act) => whyNotUnexplained(act === 'payment.match' ? act : 'payment.book', situation),
  };
}

async function readHold(tx: PlatformTx, id: string): Promise<Situation | null> {
  const place = readAddressId(id);
  const row = place && (await findHold(tx, place.chainId, place.address));
  if (!row) return null;
  const { companyId, company, chainId, address, chainNonce, nextNonce, acceptedNonce, unexplained } = row;
  const isTank = companyId === nilCompany;
  return {
    companyId,
    name: [address, company].filter(Boolean).join(', '),
    facts: { chain: chainId, address, chainNonce, nextNonce, acceptedNonce },
    whyNot: () => whyNotHold({ isHeld: true, isTank, unexplained, chainNonce, nextNonce, acceptedNonce }),
  };
}

async function readDeficit(tx: PlatformTx, id: string): Promise<Situation | null> {
  const row = uuid.test(id) ? await findDeficit(tx, id) : null;
  if (!row) return null;
  const { companyId, company, asset, decimals, owedMinor, isFrozen } = row;
  return {
    companyId,
    name: nameOf(inShort(owedMinor, decimals), asset, company),
    facts: { owedMinor: owedMinor.toString(), owed: inShort(owedMinor, decimals), asset, isFrozen },
    whyNot: () => whyNotDeficit(row),
  };
}

function nameOf(quantity: string, asset: string, company: string): string {
  return [`${quantity} ${asset}`.trim(), company].filter(Boolean).join(', ');
}

/** In whole units, without the zeros that say nothing. */
function inShort(minor: bigint, decimals: number): string {
  const text = formatAmount(minor, decimals);
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

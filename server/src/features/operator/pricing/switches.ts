import type { Body, OutputInput } from '@causeway/contract/call.ts';
import type { listOperatorAssets, switchOff } from '@causeway/contract/operator-prices.ts';
import { audit } from '../../../platform/audit/record.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { actorOf, type OperatorContext } from '../../../platform/session.ts';
import { nameOfPlace } from '../../banks/index.ts';
import { refusal } from '../../ledger/index.ts';
import type { StaffContext } from '../console/dependencies.ts';
import { propose, requireActing } from '../console/service/proposals.ts';
import { lockStaff } from '../console/store/accounts.ts';
import type { SwitchInput } from './kinds.ts';
import { findAllOff, findBankCurrencies, findChainCoins, findOff, insertOff, type OffRow } from './switches-store.ts';

/** Chains with their coins, and currencies at banks, switched off by one operator at once and on again by two. */

export async function listAssets(tx: Tx, { locale }: OperatorContext): Promise<OutputInput<typeof listOperatorAssets>> {
  const [rows, atBanks, off] = [await findChainCoins(tx), await findBankCurrencies(tx), await findAllOff(tx)];
  const shown = (place: string, coin: string | null, what: OffRow['what']) => {
    const row = off.find((one) => (one.chainId ?? one.bankId) === place && one.coin === coin && one.what === what);
    return row ? { id: row.id, at: row.at.toISOString(), by: row.by, reason: row.reason } : null;
  };
  return {
    items: [...Map.groupBy(rows, ({ chain }) => chain)].map(([chain, coins]) => ({
      chain,
      name: coins[0]?.name ?? chain,
      configured: coins[0]?.chainConfigured === true,
      off: shown(chain, null, 'chain'),
      coins: coins.map(({ coin, contract, configured, waiting }) => ({
        coin,
        contract,
        configured,
        withdrawalsOff: shown(chain, coin, 'withdrawals'),
        depositsOff: shown(chain, coin, 'deposits'),
        waiting,
      })),
    })),
    banks: [...Map.groupBy(atBanks, ({ bank }) => bank)].map(([bank, currencies]) => ({
      bank,
      name: currencies[0] ? nameOfPlace(currencies[0], locale) : bank,
      currencies: currencies.map(({ currency, configured, payouts, waiting }) => ({
        ...{ currency, configured, payouts, waiting },
        rechargesOff: shown(bank, currency, 'recharges'),
        payoutsOff: shown(bank, currency, 'payouts'),
      })),
    })),
  };
}

type Switched = Pick<OffRow, 'chainId' | 'bankId' | 'coin' | 'placeName'>;

function nameOf({ placeName, coin }: Pick<Switched, 'placeName' | 'coin'>): string {
  return coin === null ? placeName : `${coin} · ${placeName}`;
}

/** @throws DomainError chainUnknown, coinNotOnChain, currencyNotAtBank */
async function findSwitched(tx: Tx, { chain, coin, bank, currency }: Body<typeof switchOff>): Promise<Switched> {
  if (bank !== undefined && currency !== undefined) {
    const found = (await findBankCurrencies(tx)).find((one) => one.bank === bank && one.currency === currency);
    if (!found) throw refusal('currencyNotAtBank', {}, 'currency');
    return { chainId: null, bankId: bank, coin: currency, placeName: found.name };
  }
  const coins = (await findChainCoins(tx)).filter((one) => one.chain === chain);
  const [first] = coins;
  if (!first) throw refusal('chainUnknown', {}, 'chain');
  if (coin !== undefined && !coins.some((one) => one.coin === coin)) throw refusal('coinNotOnChain', {}, 'coin');
  return { chainId: first.chain, bankId: null, coin: coin ?? null, placeName: first.name };
}

/** @throws DomainError chainUnknown, coinNotOnChain, currencyNotAtBank, nothingChanges */
export async function turnOff(tx: Tx, context: StaffContext, body: Body<typeof switchOff>): Promise<{ id: string }> {
  await lockStaff(tx);
  const { id: by } = await requireActing(tx, context, 'operator.price');
  const { what, reason } = body;
  const switched = await findSwitched(tx, body);
  const { chainId: chain, bankId: bank, coin } = switched;
  const id = newId();
  if (!(await insertOff(tx, { id, chain, bank, coin, what, by, reason }))) throw new DomainError('nothingChanges');
  await audit(tx, {
    actor: actorOf(context),
    action: 'operator.switchOff',
    subjectKind: 'switch',
    subjectId: id,
    detail: { name: nameOf(switched), what, reason },
  });
  return { id };
}

/** @throws DomainError notFound, also when it is on already; proposalOpen */
export async function proposeOn(
  tx: Tx,
  context: StaffContext,
  { id, reason }: { id: string; reason: string },
): Promise<{ proposalId: string }> {
  await lockStaff(tx);
  await requireActing(tx, context, 'operator.price');
  const row = await findOff(tx, id);
  if (!row) throw new DomainError('notFound');
  const { what, placeName, coin, bankId, reason: offReason } = row;
  const place = bankId === null ? { chainName: placeName } : { bankName: placeName };
  const input: SwitchInput = { what, ...place, coin, offReason };
  return {
    proposalId: await propose(tx, context, {
      kind: 'switch.on',
      subjectId: id,
      subjectName: nameOf(row),
      input,
      reason,
    }),
  };
}

import type { OutputInput, Query } from '@causeway/contract/call.ts';
import { formatAmount, sayAmount } from '@causeway/contract/money.ts';
import type { getAddress, getAddressV2, listChains } from '@causeway/contract/wallets.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import type { SignedInContext } from '../../../platform/session.ts';
import {
  type CatalogueChain,
  type ChainCoin,
  type ChainFamilies,
  type ChainFamily,
  familyOf,
  findChains,
  findReceivingAddress,
  secondsUntilFinal,
} from '../../chains/index.ts';
import { amountOf, refusal } from '../../ledger/index.ts';
import { findWallets } from '../store.ts';

/** The chains that are switched on, and every coin on each with whether it is. */
export async function describeChains(
  tx: Tx,
  { families }: SignedInContext & ReceivingPorts,
): Promise<OutputInput<typeof listChains>> {
  const chains = (await findChains(tx)).filter((chain) => chain.enabled);
  return {
    items: chains.map((chain) => ({
      ...traitsOf(familyOf(families, chain)),
      id: chain.id,
      name: chain.name,
      family: chain.family,
      confirmations: chain.confirmations,
      nativeCoin: chain.nativeCoin,
      explorerUrl: chain.explorerUrl,
      coins: chain.coins.map(({ coin, decimals, contract, rechargeMinimumMinor, enabled, ...switched }) => ({
        coin,
        decimals,
        contract,
        minimum: formatAmount(rechargeMinimumMinor, decimals),
        enabled,
        withdrawalsPaused: switched.withdrawalsPaused,
        depositsPaused: switched.depositsPaused,
      })),
    })),
  };
}

function traitsOf({ freshAfterUse, choosesFee }: ChainFamily) {
  return { freshAddresses: freshAfterUse, choosesFee };
}

/** @throws DomainError chainUnknown; depositsPaused while none of its coins is received; unavailable while the company's wallets are being opened */
export async function addressOf(
  tx: Tx,
  _context: SignedInContext,
  query: Query<typeof getAddress>,
): Promise<OutputInput<typeof getAddress>> {
  const chain = usableChain(await findChains(tx), query.chain);
  if (chain.coins.every(({ depositsPaused }) => depositsPaused)) throw refusal('depositsPaused', {}, 'chain');
  return { chain: chain.id, address: await receivingAddress(tx, chain) };
}

/** What receiving needs of the entry point. */
export interface ReceivingPorts {
  families: ChainFamilies;
}

/**
 * Where one coin is to be sent, with a payment URI in the form of the chain's family.
 * @throws DomainError chainUnknown, coinNotOnChain, depositsPaused, amountFormat, amountTooManyDecimals, amountTooLarge,
 *   rechargeBelowMinimum (decisions, "Wallets and deposits": at least the minimum)
 */
export async function describeReceiving(
  tx: Tx,
  { families }: SignedInContext & ReceivingPorts,
  query: Query<typeof getAddressV2>,
): Promise<OutputInput<typeof getAddressV2>> {
  const chain = usableChain(await findChains(tx), query.chain);
  const coin = usableCoin(chain, query.coin);
  if (coin.depositsPaused) throw refusal('depositsPaused', {}, 'coin');
  const minimum = formatAmount(coin.rechargeMinimumMinor, coin.decimals);
  const amountMinor =
    query.amount === undefined ? undefined : amountOf(query.amount, { asset: coin.coin, decimals: coin.decimals });
  if (amountMinor !== undefined && amountMinor < coin.rechargeMinimumMinor) {
    throw refusal(
      'rechargeBelowMinimum',
      { minimum: sayAmount(coin.rechargeMinimumMinor, coin.decimals), coin: coin.coin },
      'amount',
    );
  }
  const wallets = await findWallets(tx);
  const wallet = wallets.find((each) => each.chain?.id === chain.id && each.asset === coin.coin);
  if (!wallet?.chain) throw new DomainError('unavailable');
  const { address } = wallet.chain;
  const { evmChainId } = chain;
  const request = { evmChainId, address, contract: coin.contract, decimals: coin.decimals };
  const { paymentUri } = familyOf(families, chain);
  return {
    walletId: wallet.id,
    chain: chain.id,
    chainName: chain.name,
    coin: coin.coin,
    address,
    uri: paymentUri(amountMinor === undefined ? request : { ...request, amountMinor }),
    minimum,
    confirmations: chain.confirmations,
    arrivalSeconds: secondsUntilFinal(chain),
  };
}

/** @throws DomainError chainUnknown */
export function usableChain(chains: readonly CatalogueChain[], id: string): CatalogueChain {
  const chain = chains.find((each) => each.id === id && each.enabled);
  if (!chain) throw refusal('chainUnknown', {}, 'chain');
  return chain;
}

/** @throws DomainError coinNotOnChain */
export function usableCoin(chain: CatalogueChain, id: string): ChainCoin {
  const coin = chain.coins.find((each) => each.coin === id && each.enabled);
  if (!coin) throw refusal('coinNotOnChain', {}, 'coin');
  return coin;
}

async function receivingAddress(tx: Tx, chain: CatalogueChain): Promise<string> {
  const address = await findReceivingAddress(tx, chain.id);
  if (address === null) throw new DomainError('unavailable');
  return address;
}

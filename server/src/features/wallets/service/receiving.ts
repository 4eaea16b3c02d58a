import type { OutputInput, Query } from '@causeway/contract/call.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import type { getAddress, getAddressV2, getFee, listChains, listFees } from '@causeway/contract/wallets.ts';
import type { Tx } from '../../../platform/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { type CatalogueChain, type ChainCoin, findChains, findOwnAddress } from '../../chains/index.ts';
import { amountOf, refusal } from '../../ledger/index.ts';
import { paymentUri } from '../domain.ts';
import { findWallets } from '../store.ts';

/** The chains that are switched on, and every coin on each with whether it is. */
export async function describeChains(tx: Tx): Promise<OutputInput<typeof listChains>> {
  const chains = (await findChains(tx)).filter((chain) => chain.enabled);
  return {
    items: chains.map((chain) => ({
      id: chain.id,
      name: chain.name,
      family: chain.family,
      confirmations: chain.confirmations,
      nativeCoin: chain.nativeCoin,
      explorerUrl: chain.explorerUrl,
      coins: chain.coins.map(({ coin, decimals, contract, minimumMinor, enabled }) => ({
        coin,
        decimals,
        contract,
        minimum: formatAmount(minimumMinor, decimals),
        enabled,
      })),
    })),
  };
}

/** @throws DomainError chainUnknown; unavailable while the company's wallets are being opened */
export async function addressOf(tx: Tx, query: Query<typeof getAddress>): Promise<OutputInput<typeof getAddress>> {
  const chain = usableChain(await findChains(tx), query.chain);
  return { chain: chain.id, address: await ownAddress(tx, chain) };
}

/**
 * Where one coin is to be sent, with a payment URI (EIP-681).
 * @throws DomainError chainUnknown, coinNotOnChain, amountFormat, amountTooManyDecimals, amountTooLarge,
 *   rechargeBelowMinimum (decisions, "Wallets and deposits": at least the minimum)
 */
export async function describeReceiving(
  tx: Tx,
  query: Query<typeof getAddressV2>,
): Promise<OutputInput<typeof getAddressV2>> {
  const chain = usableChain(await findChains(tx), query.chain);
  const coin = usableCoin(chain, query.coin);
  const minimum = formatAmount(coin.minimumMinor, coin.decimals);
  const amountMinor = query.amount === undefined ? undefined : amountOf(query.amount, coin);
  if (amountMinor !== undefined && amountMinor < coin.minimumMinor) {
    throw refusal('rechargeBelowMinimum', { minimum, coin: coin.coin }, 'amount');
  }
  const wallets = await findWallets(tx);
  const wallet = wallets.find((each) => each.chainId === chain.id && each.coin === coin.coin);
  if (!wallet) throw new DomainError('unavailable');
  const request = { evmChainId: chain.evmChainId, address: wallet.address, contract: coin.contract };
  return {
    walletId: wallet.id,
    chain: chain.id,
    chainName: chain.name,
    coin: coin.coin,
    address: wallet.address,
    uri: paymentUri(amountMinor === undefined ? request : { ...request, amountMinor }),
    minimum,
    confirmations: chain.confirmations,
  };
}

/**
 * The fee of one intended operation: a withdrawal's is flat and comes on top, so the payee receives the whole amount.
 * @throws DomainError feeTypeUnavailable for what has no fee yet, and what the coin and amount are refused for
 */
export async function quoteFee(tx: Tx, query: Query<typeof getFee>): Promise<OutputInput<typeof getFee>> {
  if (query.feeType !== 'crypto_withdraw_fee') throw refusal('feeTypeUnavailable', {}, 'feeType');
  const coin = usableCoin(usableChain(await findChains(tx), query.chain), query.coin);
  const inCoins = (minor: bigint) => formatAmount(minor, coin.decimals);
  const amountMinor = query.amount === undefined ? null : amountOf(query.amount, coin);
  return {
    feeType: query.feeType,
    coin: coin.coin,
    fee: inCoins(coin.feeMinor),
    amount: amountMinor === null ? null : inCoins(amountMinor),
    received: amountMinor === null ? null : inCoins(amountMinor),
    debited: amountMinor === null ? null : inCoins(amountMinor + coin.feeMinor),
    minimum: inCoins(coin.minimumMinor),
  };
}

/** The schedule in force: the withdrawal fee of every coin that can be sent. */
export async function describeFees(tx: Tx): Promise<OutputInput<typeof listFees>> {
  const chains = (await findChains(tx)).filter((chain) => chain.enabled);
  const items = chains.flatMap((chain) =>
    chain.coins
      .filter((coin) => coin.enabled)
      .map(({ coin, feeMinor, decimals }) => ({
        feeType: 'crypto_withdraw_fee' as const,
        coin,
        chain: chain.id,
        fee: formatAmount(feeMinor, decimals),
      })),
  );
  return { items };
}

function usableChain(chains: readonly CatalogueChain[], id: string): CatalogueChain {
  const chain = chains.find((each) => each.id === id && each.enabled);
  if (!chain) throw refusal('chainUnknown', {}, 'chain');
  return chain;
}

function usableCoin(chain: CatalogueChain, id: string): ChainCoin {
  const coin = chain.coins.find((each) => each.coin === id && each.enabled);
  if (!coin) throw refusal('coinNotOnChain', {}, 'coin');
  return coin;
}

async function ownAddress(tx: Tx, chain: CatalogueChain): Promise<string> {
  const address = await findOwnAddress(tx, chain.id);
  if (address === null) throw new DomainError('unavailable');
  return address;
}

import { getAddress } from 'viem/utils';
import type { AddressSource, ChainFamily, ReceivingRequest } from '../family.ts';
import { hasEvmForm, isReserved, keyOf, likenessOf, readAddress } from './addresses.ts';
import { addressFromXpub } from './derivation.ts';

/** EVM chains: one account a company, the same on every chain, with further addresses beside it; their case carries a checksum (EIP-55). */
export const evmFamily: ChainFamily = {
  name: 'evm',
  hasForm: hasEvmForm,
  readAddress,
  isReserved,
  writeContract: (contract) => getAddress(contract),
  keyOf,
  isSame: (a, b) => keyOf(a) === keyOf(b),
  likeness: likenessOf,
  choosesFee: false,
  freshAfterUse: false,
  /** Every EVM chain counts its own coin in wei. */
  nativeDecimals: 18,
  firstFees: {
    ETH: 1_000_000_000_000_000n,
    USDT: 1_000_000n,
    USDC: 1_000_000n,
    HKDT: 8_000_000n,
  },
  paymentUri,
};

/** @param xpub extended public key of the companies' account; gas tank and treasury by their EIP-55 addresses */
export function evmAddresses({
  xpub,
  gasTank,
  treasury,
}: {
  xpub: string;
  gasTank: string;
  treasury: string;
}): AddressSource {
  return {
    family: evmFamily,
    addressAt: (companyIndex, ordinal) => addressFromXpub(xpub, companyIndex, ordinal),
    changeFrom: null,
    apartFrom: 0,
    gasTank,
    treasury,
  };
}

/** The payment request as a URI (EIP-681): a plain payment, or a call of the token's `transfer`. */
function paymentUri({ evmChainId, address, contract, amountMinor }: ReceivingRequest): string {
  if (contract === null) {
    return `ethereum:${address}@${evmChainId}${amountMinor === undefined ? '' : `?value=${amountMinor}`}`;
  }
  const amount = amountMinor === undefined ? '' : `&uint256=${amountMinor}`;
  return `ethereum:${contract}@${evmChainId}/transfer?address=${address}${amount}`;
}

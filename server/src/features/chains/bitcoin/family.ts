import { formatAmount } from '@causeway/contract/money.ts';
import type { BitcoinNetwork } from '../../../platform/config/chains.ts';
import { invariant } from '../../../platform/domain-error.ts';
import type { AddressSource, ChainFamily, ReceivingRequest } from '../family.ts';
import { hasForm, isReserved, keyOf, likenessOf, readAddress } from './addresses.ts';
import { accountOf, addressOf, changeOrdinal, firstApartOrdinal, keyAt } from './derivation.ts';

/** Bitcoin on one of its networks: an address for each deposit, outputs that are spent as a whole, no tokens. */
export function bitcoinFamily(network: BitcoinNetwork): ChainFamily {
  return {
    name: 'bitcoin',
    hasForm,
    readAddress: (text, field) => readAddress(network, text, field),
    isReserved,
    writeContract: (contract) => contract,
    keyOf,
    isSame: (a, b) => keyOf(a) === keyOf(b),
    likeness: likenessOf,
    choosesFee: true,
    freshAfterUse: true,
    nativeDecimals: 8,
    // Who sends pays what the network takes; the operator may add a fee of its own.
    firstFees: {},
    paymentUri,
  };
}

/** @param xpub extended public key of the companies' account; the treasury by its address */
export function bitcoinAddresses({
  xpub,
  treasury,
  network,
}: {
  xpub: string;
  treasury: string | null;
  network: BitcoinNetwork;
}): AddressSource {
  const account = accountOf(xpub, network);
  return {
    family: bitcoinFamily(network),
    addressAt(companyIndex, ordinal) {
      const { publicKey } = keyAt(account, companyIndex, ordinal);
      invariant(publicKey, 'a derived key has its public half');
      return addressOf(publicKey, network);
    },
    /** A payment's inputs pay its fee. */
    changeFrom: changeOrdinal(0),
    apartFrom: firstApartOrdinal,
    gasTank: null,
    treasury,
  };
}

/** The payment request as a URI (BIP 21). */
function paymentUri({ address, decimals, amountMinor }: ReceivingRequest): string {
  if (amountMinor === undefined) return `bitcoin:${address}`;
  return `bitcoin:${address}?amount=${formatAmount(amountMinor, decimals)}`;
}

import type { HDKey } from '@scure/bip32';
import type { Address } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { invariant } from '../../../platform/domain-error.ts';
import type { Derive } from '../signer/family.ts';
import { addressOf, companyAccountPath, companyKey, gasTankPath, treasuryPath } from './derivation.ts';

/** The accounts that sign on EVM chains. */
export interface EvmKeys {
  /** The account of a company's index, or (from 1 on) a further address. */
  company(index: number, ordinal?: number): PrivateKeyAccount;
  gasTank: PrivateKeyAccount;
  /** Holds the platform's own coins, which settle exchanges with companies. */
  treasury: PrivateKeyAccount;
}

export function evmKeys(derive: Derive): EvmKeys {
  const account = derive(companyAccountPath);
  return {
    company: (index, ordinal = 0) => signingAccount(companyKey(account, index, ordinal)),
    gasTank: signingAccount(derive(gasTankPath)),
    treasury: signingAccount(derive(treasuryPath)),
  };
}

export function evmPublicKeys(derive: Derive): { evmXpub: string; gasTank: Address; treasury: Address } {
  return {
    evmXpub: derive(companyAccountPath).publicExtendedKey,
    gasTank: addressOf(derive(gasTankPath)),
    treasury: addressOf(derive(treasuryPath)),
  };
}

function signingAccount(key: HDKey): PrivateKeyAccount {
  invariant(key.privateKey, 'a key derived from the seed can sign');
  return privateKeyToAccount(`0x${Buffer.from(key.privateKey).toString('hex')}`);
}

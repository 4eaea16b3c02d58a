import { addressFromXpub } from '../evm/derivation.ts';
import { evmKeys } from '../evm/keys.ts';
import { openKeystore } from './keystore.ts';

/** What the installation recorded, as far as it is known where a copy is tested. */
export interface RecordedKeys {
  evmXpub: string | undefined;
  gasTank: string | undefined;
  treasury: string | undefined;
}

export interface KeystoreVerdict {
  isGood: boolean;
  /** One sentence for each thing that was tested. */
  sentences: string[];
}

/** Companies whose signing addresses are derived in both ways. */
const testedCompanies = 3;

/**
 * Tests a copy of the keystore without server and database: it opens with its passphrase, the keys that sign give the
 * addresses that the extended public key gives, and both are the ones recorded.
 * @throws ConfigError when it does not open
 */
export function verifyKeystore(file: string, passphrase: string, recorded: RecordedKeys): KeystoreVerdict {
  const { publicKeys, derive } = openKeystore(file, passphrase);
  const { evmXpub, gasTank, treasury } = publicKeys;
  const keys = evmKeys(derive);
  const companies = Array.from({ length: testedCompanies }, (_, index) => index);
  const derives = companies.every((index) => keys.company(index).address === addressFromXpub(evmXpub, index));
  const tests = [
    { good: true, says: `${file} opens with this passphrase.` },
    {
      good: derives && keys.gasTank.address === gasTank && keys.treasury.address === treasury,
      says: derives
        ? 'The keys in it sign for the addresses that its public keys give.'
        : 'The keys in it do NOT sign for the addresses that its public keys give: do not rely on this copy.',
    },
    compare('EVM_XPUB', recorded.evmXpub, evmXpub),
    compare('EVM_GAS_TANK', recorded.gasTank, gasTank),
    compare('EVM_TREASURY', recorded.treasury, treasury),
  ];
  return { isGood: tests.every(({ good }) => good), sentences: tests.map(({ says }) => says) };
}

function compare(name: 'EVM_XPUB' | 'EVM_GAS_TANK' | 'EVM_TREASURY', known: string | undefined, found: string) {
  if (known === undefined || known === '') {
    return { good: true, says: `${name} is not set here, so it was not compared; this copy gives ${found}.` };
  }
  const isSame = known.toLowerCase() === found.toLowerCase();
  return {
    good: isSame,
    says: isSame
      ? `${name} is the one of this copy.`
      : `${name} is NOT the one of this copy, which gives ${found}: it belongs to another installation.`,
  };
}

import { changeOrdinal } from '../bitcoin/derivation.ts';
import { bitcoinAddresses } from '../bitcoin/family.ts';
import { bitcoinKeyFamily, bitcoinKeys } from '../bitcoin/keys.ts';
import { addressFromXpub } from '../evm/derivation.ts';
import { evmKeys } from '../evm/keys.ts';
import type { Derive } from './family.ts';
import { openKeystore } from './keystore.ts';

/** What the installation recorded, as far as it is known where a copy is tested. */
export interface RecordedKeys {
  evmXpub: string | undefined;
  gasTank: string | undefined;
  treasury: string | undefined;
  /** Of whichever network the installation serves; not compared where none is. */
  bitcoinXpub?: string | undefined;
  bitcoinTreasury?: string | undefined;
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
  const { publicKeys, derive } = openKeystore(file, passphrase, [bitcoinKeyFamily]);
  const { evmXpub, gasTank, treasury } = publicKeys;
  const keys = evmKeys(derive);
  const companies = Array.from({ length: testedCompanies }, (_, index) => index);
  const bitcoin = publicKeys.families?.[bitcoinKeyFamily.name] ?? {};
  const derives =
    companies.every((index) => keys.company(index).address === addressFromXpub(evmXpub, index)) &&
    derivesBitcoin(derive, bitcoin, companies);
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
    ...compareBitcoin('BITCOIN_XPUB', recorded.bitcoinXpub, [bitcoin['xpub'], bitcoin['testXpub']]),
    ...compareBitcoin('BITCOIN_TREASURY', recorded.bitcoinTreasury, [
      bitcoin['treasury'],
      bitcoin['testTreasury'],
      bitcoin['regtestTreasury'],
    ]),
  ];
  return { isGood: tests.every(({ good }) => good), sentences: tests.map(({ says }) => says) };
}

/** A company's account and its first address for change, on the main network and on a test network. */
function derivesBitcoin(derive: Derive, publicKeys: Readonly<Record<string, string>>, companies: readonly number[]) {
  const named = [
    { network: 'main', xpub: publicKeys['xpub'] ?? '' },
    { network: 'test', xpub: publicKeys['testXpub'] ?? '' },
  ] as const;
  return named.every(({ network, xpub }) => {
    const { addressAt } = bitcoinAddresses({ xpub, network, treasury: null });
    const keys = bitcoinKeys(derive, network);
    return companies.every((index) =>
      [0, changeOrdinal(0)].every((ordinal) => keys.company(index, ordinal).address === addressAt(index, ordinal)),
    );
  });
}

/** An installation without Bitcoin sets neither, so that an absent one is not worth a sentence. */
function compareBitcoin(
  name: 'BITCOIN_XPUB' | 'BITCOIN_TREASURY',
  known: string | undefined,
  found: readonly (string | undefined)[],
) {
  if (known === undefined || known === '') return [];
  const isOne = found.includes(known);
  return [
    {
      good: isOne,
      says: isOne
        ? `${name} is one of this copy.`
        : `${name} is NOT one of this copy, which gives ${found.join(', ')}: it belongs to another installation.`,
    },
  ];
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
